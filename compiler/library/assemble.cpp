// Types first, since everything names them; then functions as their blocks describe them; then implementations, whose
// loads and save must agree with the function, or make up its signature where no block describes it:
//
//     layer 0: types, svmul3 (vector3, scalar → vector3), svmul3_1, svmul3_2
//     layer 1: svmul3_1, svmul3_9          → svmul3 with 1 (of layer 1), 2, 9
//     layer 2: svmul3 with a reference that computes something else → svmul3 with what layer 2 has for it alone

#include "library/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "library/elementary_code.hpp"
#include "library/made_implementation.hpp"
#include "library/parameters.hpp"

namespace kasc::library {

namespace {

constexpr std::size_t of_no_layer = std::numeric_limits<std::size_t>::max();
constexpr std::string_view format = "1";  // the only one so far: read_version() accepts no other

/// Where a thing was defined: twice in one layer is an error, in a later layer a replacement.
struct Origin {
    std::size_t layer = 0;
    Span span;
};

class Assembler {
public:
    Outcome<Library> run(std::vector<Layer> layers) {
        library_.version = std::string(format);
        for (std::size_t l = 0; l < layers.size(); ++l) {
            for (FileDefinitions& file : layers[l]) add_types(file, l);
        }
        for (std::size_t l = 0; l < layers.size(); ++l) {
            for (FileDefinitions& file : layers[l]) {
                for (FunctionDefinition& function : file.functions) add_function(function, l);
            }
        }
        for (std::size_t l = 0; l < layers.size(); ++l) {
            for (FileDefinitions& file : layers[l]) {
                for (ImplementationDefinition& implementation : file.implementations)
                    add_implementation(implementation, l);
                for (Diagnostic& d : file.diagnostics) diagnostics_.push_back(std::move(d));
            }
        }
        if (!has_errors(diagnostics_)) add_made_implementations();
        finish();
        if (has_errors(diagnostics_)) return failure<Library>(std::move(diagnostics_));
        return success(std::move(library_), std::move(diagnostics_));
    }

private:
    void add_types(const FileDefinitions& file, std::size_t layer) {
        for (const StreamType& type : file.types) {
            const auto known = library_.find_type(type.name);
            if (!known) {
                type_layers_.push_back(layer);
                type_names_.push_back(type.name);
                library_.types.add(type);
            } else if (type_layers_[known->index] == layer || library_.types[*known].shape != type.shape) {
                const StreamType& first = library_.types[*known];
                twice(type.span, first.span, fmt::format("type '{}' is defined twice", type.name));
            }
        }
    }

    void add_function(FunctionDefinition& definition, std::size_t layer) {
        Function function;
        function.name = definition.name;
        function.span = definition.span;
        bool resolved = true;
        for (const Word& word : definition.arguments) {
            const auto type = resolve(word);
            function.arguments.push_back(type.value_or(TypeId{}));
            resolved = resolved && type.has_value();
        }
        const auto result = resolve(definition.result);
        if (!result || !resolved) return;
        function.result = *result;
        function.flops = definition.flops.value_or(0);
        function.accuracy = definition.accuracy;
        function.reference = std::move(definition.reference);
        described_[function.name] = definition.flops.has_value();

        const auto [place, inserted] = functions_.emplace(function.name, Origin{layer, function.span});
        if (inserted) {
            ids_.emplace(definition.name, library_.functions.add(std::move(function)));
        } else if (place->second.layer == layer) {
            twice(function.span, place->second.span, fmt::format("function '{}' is described twice", function.name));
        } else {
            replace_function(std::move(function), place->second, layer);
        }
    }

    void replace_function(Function function, Origin& origin, std::size_t layer) {
        Function& known = library_.functions[ids_.at(function.name)];
        if (known.arguments != function.arguments || known.result != function.result) {
            add_fault("K0316", function.span,
                      fmt::format("'{}' has another signature in an earlier folder", function.name),
                      "rename the function", origin.span);
            return;
        }
        warn_replaced(function.name, function.span, origin.span);
        origin = {layer, function.span};
        if (!function.reference) function.reference = known.reference;
        if (known.reference && function.reference->text != known.reference->text) meant_since_[function.name] = layer;
        known = std::move(function);
    }

    void add_implementation(ImplementationDefinition& definition, std::size_t layer) {
        const auto meant = meant_since_.find(definition.function);
        if (meant != meant_since_.end() && layer < meant->second) return;
        Implementation& implementation = definition.implementation;
        bool resolved = true;
        for (std::size_t i = 0; i < implementation.loads.size(); ++i) {
            const auto type = resolve_use(definition.load_types[i]);
            implementation.loads[i].type = type.value_or(TypeId{});
            resolved = resolved && type.has_value();
        }
        const auto result = resolve_use(definition.save_type);
        if (!result || !resolved) return;
        implementation.save.type = *result;

        const FunctionId id = function_of(definition);
        if (!agrees(definition, library_.functions[id])) return;
        const auto [place, inserted] = implementations_.emplace(implementation.name, Origin{layer, definition.span});
        if (inserted) {
            library_.functions[id].implementations.push_back(std::move(implementation));
        } else if (place->second.layer == layer) {
            twice(definition.span, place->second.span,
                  fmt::format("implementation '{}' is defined twice", implementation.name));
        } else {
            warn_replaced(implementation.name, definition.span, place->second.span);
            place->second = {layer, definition.span};
            auto& all = library_.functions[id].implementations;
            *std::find_if(all.begin(), all.end(), [&](const Implementation& known) {
                return known.name == implementation.name;
            }) = std::move(implementation);
        }
    }

    void add_made_implementations() {
        std::vector<FileDefinitions> made;
        for (const Function& function : library_.functions)
            if (function.implementations.empty() && function.reference)
                made.push_back(made_implementation(function, library_.types));
        for (FileDefinitions& file : made) {
            for (ImplementationDefinition& definition : file.implementations) {
                definition.implementation.faults = elementary_faults(definition.implementation);
                add_implementation(definition, of_no_layer);
            }
            for (Diagnostic& d : file.diagnostics) diagnostics_.push_back(std::move(d));
        }
    }

    /// A function that no block describes has the signature of its first implementation.
    FunctionId function_of(const ImplementationDefinition& definition) {
        const auto known = ids_.find(definition.function);
        if (known != ids_.end()) return known->second;
        Function function;
        function.name = definition.function;
        function.span = definition.span;
        for (const Transfer& load : definition.implementation.loads) function.arguments.push_back(load.type);
        function.result = definition.implementation.save.type;
        const FunctionId id = library_.functions.add(std::move(function));
        ids_.emplace(definition.function, id);
        return id;
    }

    bool agrees(const ImplementationDefinition& definition, const Function& function) {
        const Implementation& implementation = definition.implementation;
        const std::string help =
            fmt::format("all implementations of a function have one signature: {}", signature(function));
        if (implementation.loads.size() != function.arguments.size()) {
            add_fault("K0316", definition.span,
                      fmt::format("'{}' has {}, '{}' has {}", implementation.name,
                                  counted(implementation.loads.size(), "load"), function.name,
                                  counted(function.arguments.size(), "argument")),
                      help, function.span);
            return false;
        }
        for (std::size_t i = 0; i < function.arguments.size(); ++i) {
            if (!check_type(definition.load_types[i].type, implementation.loads[i].type, function.arguments[i],
                            fmt::format("argument {} of '{}'", i + 1, function.name), help, function.span)) {
                return false;
            }
        }
        return check_type(definition.save_type.type, implementation.save.type, function.result,
                          fmt::format("the result of '{}'", function.name), help, function.span);
    }

    bool check_type(const Word& use, TypeId type, TypeId expected, const std::string& what, const std::string& help,
                    const Span& function) {
        if (type == expected) return true;
        add_fault("K0316", use.span, fmt::format("{} is a '{}'", what, library_.types[expected].name), help, function);
        return false;
    }

    std::string signature(const Function& function) const {
        std::vector<std::string> names;
        for (const TypeId type : function.arguments) names.push_back(library_.types[type].name);
        return fmt::format("{} = {}({})", library_.types[function.result].name, function.name, fmt::join(names, ", "));
    }

    std::optional<TypeId> resolve_use(const TypeUse& use) {
        const auto type = resolve(use.type);
        if (!type) return type;
        if (auto mismatch = global_parameter_fault(use.parameter, use.type))
            diagnostics_.push_back(std::move(*mismatch));
        return type;
    }

    std::optional<TypeId> resolve(const Word& use) {
        if (!use.span.source) return std::nullopt;  // its missing place is reported already
        const auto type = library_.find_type(use.text);
        if (!type && !use.text.empty()) {
            diagnostics_.push_back(
                fault("K0310", use.span, fmt::format("unknown type '{}'", use.text), "not in the library",
                      suggest(use.text, type_names_, "a type needs a block with its Shape and a typedef")));
        } else if (!type) {
            diagnostics_.push_back(fault("K0310", use.span, "a type is missing", "", "name a type of the library"));
        }
        return type;
    }

    void finish() {
        for (Function& function : library_.functions) {
            auto& all = function.implementations;
            const auto number = [](const Implementation& i) { return parse_part_name(i.name)->implementation; };
            std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return number(a) < number(b); });
            const auto described = described_.find(function.name);
            if (described == described_.end() || !described->second) function.flops = words_moved(function);
            // What was wrong with an implementation is said already; else the function has none.
            if (!all.empty() || has_errors(diagnostics_)) continue;
            diagnostics_.push_back(fault("K0311", function.span,
                                         fmt::format("'{}' has no implementation", function.name), "",
                                         fmt::format("add the reference cpu_{0} or the parts of {0}_1, or remove the "
                                                     "block",
                                                     function.name)));
        }
    }

    int words_moved(const Function& function) const {
        return std::accumulate(function.arguments.begin(), function.arguments.end(),
                               library_.types[function.result].words,
                               [&](int sum, TypeId type) { return sum + library_.types[type].words; });
    }

    void twice(const Span& second, const Span& first, std::string message) {
        add_fault("K0315", second, std::move(message), "remove or rename one of the two", first);
    }

    void warn_replaced(const std::string& name, const Span& later, const Span& earlier) {
        add_fault("K0321", later, fmt::format("'{}' takes the place of an earlier folder's", name),
                  "give it a number of its own to keep both", earlier);
        diagnostics_.back().severity = Severity::warning;
    }

    void add_fault(const char* code, const Span& at, std::string message, std::string help, const Span& other) {
        diagnostics_.push_back(fault(code, at, std::move(message), "", std::move(help)));
        diagnostics_.back().notes.push_back({other, "the other is here"});
    }

    Library library_;
    Diagnostics diagnostics_;
    std::vector<std::size_t> type_layers_;  // by type
    std::vector<std::string> type_names_;
    std::map<std::string, Origin> functions_, implementations_;
    std::map<std::string, FunctionId> ids_;
    std::map<std::string, bool> described_;           // by a block; true: it has Flops
    std::map<std::string, std::size_t> meant_since_;  // the layer whose reference computes something else
};

}  // namespace

Outcome<Library> assemble(std::vector<Layer> layers) { return Assembler().run(std::move(layers)); }

}  // namespace kasc::library
