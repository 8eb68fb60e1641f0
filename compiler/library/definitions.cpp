// One file → its definitions. The name of a block says what it describes:
//
//     library            the version          svmul3_1           an implementation's kernel
//     before a typedef   a type               svmul3_1_load_2    a part of it
//                                             svmul3             a function
//
// Faults of the text itself (comments, braces, headings) end the reading: what is missing after them is no news.

#include "library/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kasc::library {

namespace {

constexpr std::size_t most_blocks = 4096;  // in one file: over 500 implementations

enum class BlockKind { version, type, function, part };

BlockKind kind_of(const MetadataBlock& block, const FileView& file) {
    if (block.name == "library") return BlockKind::version;
    const auto has = [&](const char* key) {
        return std::any_of(block.entries.begin(), block.entries.end(), [&](const Entry& e) { return e.key == key; });
    };
    const auto& typedefs = file.code.typedefs;
    if (has("Shape") || std::find(typedefs.begin(), typedefs.end(), block.name) != typedefs.end())
        return BlockKind::type;
    return parse_part_name(block.name) ? BlockKind::part : BlockKind::function;
}

FileView view(const std::vector<Token>& tokens, Faults& faults) {
    FileView file;
    file.code = scan_declarations(tokens, faults);
    if (file.code.metadata.size() > most_blocks) {
        const Token& over = file.code.metadata[most_blocks];
        faults.add("K0319", faults.span(over.begin, over.begin + 3),
                   fmt::format("a file has at most {} metadata blocks", most_blocks), "", "split the file");
        file.code.metadata.resize(most_blocks);
    }
    for (std::size_t i = 0; i < file.code.functions.size(); ++i) {
        file.function_index.emplace(file.code.functions[i].name, i);
    }
    for (const Token& token : file.code.metadata) {
        auto block = parse_metadata(token, faults);
        if (!block) continue;
        const auto [place, inserted] = file.block_index.emplace(block->name, file.blocks.size());
        if (inserted) {
            file.blocks.push_back(std::move(*block));
        } else {
            faults.add("K0315", block->name_span, fmt::format("'{}' is described twice", block->name), "the second",
                       "remove or rename one of the two",
                       Note{file.blocks[place->second].name_span, "the first is here"});
        }
    }
    return file;
}

/// "/*#" somewhere; "/*##" is a banner. Other files are none of ours, whatever is wrong with them.
bool opens_metadata(std::string_view text) {
    std::size_t at = text.find("/*#");
    while (at != std::string_view::npos && at + 3 < text.size() && text[at + 3] == '#') at = text.find("/*#", at + 3);
    return at != std::string_view::npos;
}

bool is_part(const CodeFunction& function) {
    if (function.kind != CodeFunctionKind::device || !function.name.starts_with("d_")) return false;
    const auto part = parse_part_name(std::string_view(function.name).substr(2));
    return part && part->part != Part::kernel;  // a device function d_x_1 is a helper
}

/// Implementations that the file names, in blocks or functions, by name and number.
std::map<std::pair<std::string, int>, ImplementationSketch> sketch_implementations(const FileView& file) {
    std::map<std::pair<std::string, int>, ImplementationSketch> found;
    const auto note = [&](std::string_view name, const Span& at) {
        const auto part = parse_part_name(name);
        const auto place = found.try_emplace({part->function, part->implementation}).first;
        ImplementationSketch& sketch = place->second;
        if (!sketch.first.source) sketch = {part->function, part->implementation, at, {}};
        if (part->part == Part::load) sketch.loads.emplace(part->argument, at);
    };
    for (const MetadataBlock& block : file.blocks) {
        if (kind_of(block, file) == BlockKind::part) note(block.name, block.name_span);
    }
    for (const CodeFunction& function : file.code.functions) {
        if (is_part(function)) note(function.name.substr(2), function.name_span);
    }
    return found;
}

HelperCode helpers_of(const FileCode& code, Faults& faults) {
    HelperCode helpers;
    helpers.macros = code.macros;
    helpers.variables = code.variables;
    for (const Macro& macro : code.macros) helpers.bytes += macro.text.size();
    for (const CodeFunction& function : code.functions) {
        if (function.kind != CodeFunctionKind::device || is_part(function)) continue;
        helpers.functions.push_back(device_function(function));
        helpers.bytes += helpers.functions.back().text.size();
        if (helpers.bytes > most_helper_bytes) {
            faults.add("K0319", function.name_span,
                       fmt::format("macros and helper functions of a file hold at most {} bytes", most_helper_bytes),
                       "", "split the file: each implementation carries the helpers of its file");
            return {};
        }
    }
    return helpers;
}

void add_implementations(const FileView& file, FileDefinitions& definitions, Faults& faults) {
    const HelperCode helpers = helpers_of(file.code, faults);
    for (const auto& [key, sketch] : sketch_implementations(file)) {
        auto definition = read_implementation(sketch, file, faults);
        if (!definition) continue;
        definition->implementation.helpers = helpers.functions;
        definition->implementation.macros = helpers.macros;
        definition->implementation.variables = helpers.variables;
        definitions.implementations.push_back(std::move(*definition));
    }
}

/// References of functions that no block describes would be dropped without a word.
void check_references(const FileView& file, Faults& faults) {
    for (const CodeFunction& function : file.code.functions) {
        if (function.kind != CodeFunctionKind::host || !function.name.starts_with("cpu_")) continue;
        const std::string name = function.name.substr(4);
        if (file.block(name)) continue;
        faults.add("K0311", function.name_span,
                   fmt::format("no metadata block describes the reference '{}'", function.name), "",
                   fmt::format("put '/*# {} metadata' with Arguments and Result before it", name));
    }
}

void check_duplicates(const FileView& file, Faults& faults) {
    for (const CodeFunction& function : file.code.functions) {
        const CodeFunction* first = file.function(function.name);
        if (first == &function || !(is_part(function) || function.name.starts_with("cpu_"))) continue;
        faults.add("K0315", function.name_span, fmt::format("'{}' is defined twice", function.name), "the second",
                   "remove or rename one of the two", Note{first->name_span, "the first is here"});
    }
}

}  // namespace

const MetadataBlock* FileView::block(const std::string& name) const {
    const auto found = block_index.find(name);
    return found == block_index.end() ? nullptr : &blocks[found->second];
}

const CodeFunction* FileView::function(const std::string& name) const {
    const auto found = function_index.find(name);
    return found == function_index.end() ? nullptr : &code.functions[found->second];
}

HelperCode read_helpers(Faults& faults) {
    const FileCode code = scan_declarations(tokenize(faults), faults);
    return faults.none() ? helpers_of(code, faults) : HelperCode{};
}

FileDefinitions read_definitions(const SourceRef& source) {
    FileDefinitions definitions;
    if (!opens_metadata(source->text)) return definitions;
    Faults faults(source);
    const std::vector<Token> tokens = tokenize(faults);
    const FileView file = view(tokens, faults);
    if (faults.none()) {
        for (const MetadataBlock& block : file.blocks) {
            switch (kind_of(block, file)) {
                case BlockKind::version:
                    definitions.version = read_version(block, faults);
                    break;
                case BlockKind::type:
                    if (auto type = read_type(block, file, faults)) definitions.types.push_back(std::move(*type));
                    break;
                case BlockKind::function:
                    if (auto f = read_function(block, file, faults)) definitions.functions.push_back(std::move(*f));
                    break;
                case BlockKind::part:
                    break;  // gathered by implementation
            }
        }
        add_implementations(file, definitions, faults);
        definitions.includes = file.code.includes;
        check_references(file, faults);
        check_duplicates(file, faults);
    }
    definitions.diagnostics = faults.take();
    return definitions;
}

}  // namespace kasc::library
