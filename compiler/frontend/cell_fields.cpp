#include "frontend/cell_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "foundation/cell_type.hpp"
#include "frontend/element_axis.hpp"
#include "frontend/foreign_types.hpp"
#include "frontend/foreign_words.hpp"

namespace kasc::frontend {

namespace {

/// `type A;` of a program with fields: element_axis.hpp gave it its axis.
bool has_own_axes(const ast::Declaration& declaration) {
    return declaration.is_field && !(declaration.axes.size() == 1 && declaration.axes.front().text == element_axis);
}

}  // namespace

CellFields::CellFields(const Ast& ast, const Library& library, Report& report)
    : ast_(ast), library_(library), report_(report) {
    for (const ast::CellTypeDeclaration& type : ast.types) read_type(type);
    for (const ast::Declaration& declaration : ast.declarations) read_declaration(declaration);
    for (const ast::Declaration& declaration : ast.uniform) refuse_uniform(declaration);
    for (const ast::Parameter& parameter : ast.parameters) read_parameter(parameter);
    for (const std::string& name : order_) refuse_others(name);
}

const CellField* CellFields::find(const std::string& name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? nullptr : &found->second;
}

const CellParameter* CellFields::find_parameter(const std::string& name) const {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? nullptr : &found->second;
}

std::optional<std::string> CellFields::word(const std::string& name) const {
    const auto found = hidden_.find(name);
    return found == hidden_.end() ? std::nullopt : std::make_optional(found->second);
}

std::optional<CellShape> CellFields::type(const std::string& name) const {
    if (const auto own = types_.find(name); own != types_.end()) return own->second.shape;
    const auto known = library_.find_type(name);
    if (!known) return std::nullopt;
    return cell_shape(library_.types[*known]);
}

/// Names that stand for one field of numbers are checked with all others; that of cells is gone by then.
void CellFields::refuse_others(const std::string& name) {
    const ast::Declaration* field = fields_.at(name).declaration;
    const auto refuse = [&](const ast::Name& other) {
        if (other.text != name || &other == &field->name) return;
        Diagnostic& d = report_.error("K0202", fmt::format("'{}' is declared twice", name), other.span);
        d.notes.push_back({field->name.span, "the field whose cells have a shape is here"});
    };
    for (const ast::Declaration& declaration : ast_.declarations) refuse(declaration.name);
    for (const ast::Parameter& parameter : ast_.parameters) refuse(parameter.name);
}

void CellFields::read_type(const ast::CellTypeDeclaration& type) {
    if (!find_cell_type(type.of.text)) {
        report_.error("K0255", fmt::format("the words of a cell cannot be of type '{}'", type.of.text), type.of.span)
            .help = type_here(type.of.text).empty()
                        ? "they are numbers, as in 'type populations = float[19];'"
                        : fmt::format("write 'type {} = {}[{}];'{}", type.name.text, type_here(type.of.text),
                                      fmt::join(type.extents, ", "), type_differs(type.of.text));
        return;
    }
    CellShape shape{type.extents};
    const bool empty = std::find(type.extents.begin(), type.extents.end(), 0) != type.extents.end();
    std::size_t words = 1;
    for (const int extent : type.extents)
        words = std::min(words * static_cast<std::size_t>(extent), 2 * most_cell_words);
    if (empty || words > most_cell_words) {
        report_
            .error("K0255", fmt::format("a cell of '{}' has {} words", type.name.text, empty ? "no" : "too many"),
                   type.name.span)
            .help = fmt::format("cells of fields have 1 to {} words", most_cell_words);
        return;
    }
    const auto earlier = std::find_if(ast_.types.begin(), ast_.types.end(),
                                      [&](const auto& other) { return other.name.text == type.name.text; });
    if (find_cell_type(type.name.text) || library_.find_type(type.name.text) || types_.contains(type.name.text)) {
        Diagnostic& d =
            report_.error("K0202", fmt::format("the type '{}' is known already", type.name.text), type.name.span);
        if (types_.contains(type.name.text)) d.notes.push_back({earlier->name.span, "the first is here"});
        d.help = "give it another name";
        // Who declares what is there already may go on without.
        if (const auto type_id = library_.find_type(type.name.text);
            type_id && type.of.text == "float" && cell_shape(library_.types[*type_id]) == shape)
            d.help = "leave this out: the library has the type, with these words";
        return;
    }
    for (const ast::Function& function : ast_.functions) {
        if (function.name.text != type.name.text || function.of_library) continue;
        Diagnostic& d =
            report_.error("K0202", fmt::format("'{}' is a type and a function", type.name.text), function.name.span);
        d.notes.push_back({type.name.span, "the type is declared here, and makes its cells by this name"});
        d.help = "give one of them another name";
    }
    types_.emplace(type.name.text, DeclaredType{std::move(shape), type.of.text});
}

/// How a declaration that another language has is written here.
std::string CellFields::known_elsewhere(const ast::Declaration& declaration) const {
    const std::string &type = declaration.type.text, &name = declaration.name.text;
    const bool field = has_own_axes(declaration);
    if (type == "import" && !field)
        return fmt::format("write 'import \"{}.kas\";' of a file; 'exp', 'sum' and 'fft' are there without", name);
    if (std::string help = statement_here(type, name); !help.empty() && !field) return help;
    const std::string_view here = type_here(type);
    if (here.empty()) return {};
    std::string axes;
    for (const ast::Name& axis : declaration.axes) axes += (axes.empty() ? "" : ", ") + axis.text;
    if (field) return fmt::format("write '{} {}[{}]'{}", here, name, axes, type_differs(type));
    return fmt::format("a field has axes, '{} {}[x];', a number of a run is 'param {} {};'", here, name,
                       parameter_type_here(type).empty() ? "float" : parameter_type_here(type), name);
}

void CellFields::report_unknown_type(const ast::Declaration& declaration) {
    const ast::Name& type = declaration.type;
    Diagnostic& d = report_.error("K0201", fmt::format("unknown type '{}'", type.text), type.span);
    std::vector<std::string> names;
    for (const ast::CellTypeDeclaration& known : ast_.types) names.push_back(known.name.text);
    for (const StreamType& known : library_.types) names.push_back(lower_case(known.name));
    const std::string library =
        names.empty() ? "the library holds no types" : fmt::format("the library's types are {}", name_list(names));
    const bool field = has_own_axes(declaration);
    if (field) {
        for (const CellType known : cell_types) names.emplace_back(name_of(known));
    } else {
        d.label = "not in the library";
    }
    if (std::string help = known_elsewhere(declaration); !help.empty()) {
        d.label.clear();
        d.help = std::move(help);
        return;
    }
    d.help = did_you_mean(lower_case(type.text), names);
    if (!d.help.empty()) return;
    d.help = !field ? library
                    : fmt::format(
                          "a field is of 'float', 'double', 'half', 'bfloat16', 'complex', 'double_complex', 'int', "
                          "'int64' or 'uint8', or of a type of the program or the library: 'float {}[{}]'",
                          declaration.name.text, declaration.axes.empty() ? "" : declaration.axes.front().text);
}

void CellFields::read_declaration(const ast::Declaration& declaration) {
    const std::string& name = declaration.type.text;
    if (find_cell_type(name)) {
        refuse_layout(declaration);
        return;
    }
    if (const auto shape = type(name)) {
        if (declaration.is_field) read_field(declaration, *shape);
        return;
    }
    of_unknown_type_.insert(declaration.name.text);
    const bool refused = std::any_of(ast_.types.begin(), ast_.types.end(),
                                     [&](const auto& declared) { return declared.name.text == name; });
    if (!refused) report_unknown_type(declaration);
}

void CellFields::refuse_uniform(const ast::Declaration& field) {
    const auto shape = type(field.type.text);
    if (!shape || shape->is_number()) return;
    report_
        .error("K0255", fmt::format("'{}' cannot be one number", field.name.text), field.name.span,
               fmt::format("its cells are {}", text_of(*shape)))
        .help = fmt::format("where it is the same for all cells, let it be a parameter: 'param {} {};'",
                            field.type.text, field.name.text);
}

bool CellFields::is_declared_twice(const ast::Name& name) {
    const auto refuse = [&](const ast::Name& other) {
        if (other.text != name.text || &other == &name) return false;
        const bool first = name.span.begin < other.span.begin;
        Diagnostic& d =
            report_.error("K0202", fmt::format("'{}' is declared twice", name.text), first ? other.span : name.span);
        d.notes.push_back({first ? name.span : other.span, "the first declaration is here"});
        return true;
    };
    const auto any = [&](const auto& all) {
        return std::any_of(all.begin(), all.end(), [&](const auto& item) { return refuse(item.name); });
    };
    const bool of_field = fields_.contains(name.text);  // it says so itself
    return (!of_field && any(ast_.declarations)) || any(ast_.parameters) || any(ast_.options) ||
           std::any_of(ast_.functions.begin(), ast_.functions.end(),
                       [&](const ast::Function& f) { return !f.of_library && refuse(f.name); });
}

void CellFields::read_parameter(const ast::Parameter& parameter) {
    const auto shape = type(parameter.type.text);
    const bool field = std::any_of(ast_.uniform.begin(), ast_.uniform.end(),
                                   [&](const auto& other) { return other.name.text == parameter.name.text; });
    if (field || !shape || shape->is_number() || parameters_.contains(parameter.name.text)) return;
    has_too_many_words(parameter.type, *shape);
    const auto declared = types_.find(parameter.type.text);
    CellParameter made{*shape, declared == types_.end() ? "float" : declared->second.of, {}, &parameter};
    if (made.of != "float" && made.of != "double" && made.of != "int") {
        report_
            .error("K0233", fmt::format("a parameter cannot be of type '{}'", parameter.type.text), parameter.type.span)
            .help = "words of parameters are 'float', 'double' or 'int'";
    }
    for (std::size_t word = 0; word < shape->words(); ++word)
        made.words.push_back(fmt::format("{}_{}", parameter.name.text, word_name(*shape, word)));
    const auto named = [&](const auto& all) -> const ast::Name* {
        const auto other = std::find_if(all.begin(), all.end(), [&](const auto& item) {
            return std::find(made.words.begin(), made.words.end(), item.name.text) != made.words.end();
        });
        return other == all.end() ? nullptr : &other->name;
    };
    const ast::Name* other = named(ast_.declarations);
    if (!other) other = named(ast_.parameters);
    if (other) {
        Diagnostic& d = report_.error(
            "K0202", fmt::format("'{}' is the name of a word of '{}'", other->text, parameter.name.text), other->span);
        d.notes.push_back({parameter.name.span, "whose words are parameters of their own, in calls and in files"});
        d.help = "give it another name";
    } else if (!is_declared_twice(parameter.name)) {
        for (std::size_t word = 0; word < shape->words(); ++word)
            hidden_.emplace(made.words[word], parameter.name.text + "." + word_name(*shape, word));
    }
    parameters_.emplace(parameter.name.text, std::move(made));
}

CellLayout CellFields::read_layout(const ast::Declaration& field) {
    if (!field.layout || field.layout->text == "aos") return CellLayout::structures;
    if (field.layout->text != "soa") {
        report_.error("K0255", fmt::format("'{}' is no layout of cells", field.layout->text), field.layout->span).help =
            "'layout(soa)' has an array for each word, 'layout(aos)' the words of a cell beside each other";
    }
    return CellLayout::arrays;
}

void CellFields::refuse_layout(const ast::Declaration& field) {
    if (!field.layout) return;
    report_
        .error("K0255", fmt::format("the cells of '{}' are numbers", field.name.text), field.layout->span,
               "lays out the words of a cell")
        .help = "leave 'layout' out";
}

bool CellFields::has_too_many_words(const ast::Name& type, const CellShape& shape) {
    if (shape.words() <= most_cell_words) return false;
    report_.error("K0255", fmt::format("a cell of '{}' has too many words", type.text), type.span).help =
        fmt::format("cells of fields have 1 to {} words", most_cell_words);
    return true;
}

void CellFields::read_field(const ast::Declaration& field, const CellShape& shape) {
    if (fields_.contains(field.name.text)) return;
    if (field.or_uniform) refuse_uniform(field);
    if (has_too_many_words(field.type, shape)) return;
    const auto declared = types_.find(field.type.text);
    CellField made{shape, declared == types_.end() ? "float" : declared->second.of, {}, &field};
    if (shape.is_number()) {
        refuse_layout(field);
    } else {
        made.layout = read_layout(field);
    }
    for (std::size_t word = 0; word < shape.words(); ++word) {
        if (shape.is_number()) break;
        made.words.push_back(fmt::format("{}_{}", field.name.text, word_name(shape, word)));
        const auto other = std::find_if(ast_.declarations.begin(), ast_.declarations.end(),
                                        [&](const auto& d) { return d.name.text == made.words.back(); });
        if (other == ast_.declarations.end()) {
            hidden_.emplace(made.words.back(), field.name.text + "." + word_name(shape, word));
            continue;
        }
        Diagnostic& d = report_.error(
            "K0202", fmt::format("'{}' is the name of a word of '{}'", made.words.back(), field.name.text),
            other->name.span);
        d.notes.push_back({field.name.span, "whose words are fields of their own, in emitted code and in files"});
        d.help = "give it another name";
    }
    if (shape.is_number()) made.words.push_back(field.name.text);
    fields_.emplace(field.name.text, std::move(made));
    if (shape.is_number()) return;
    order_.push_back(field.name.text);
}

}  // namespace kasc::frontend
