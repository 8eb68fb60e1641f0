#include "frontend/imports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/ast_expression.hpp"
#include "frontend/parse.hpp"

namespace kasc::frontend {

namespace fs = std::filesystem;
using grammar::KascParser;

namespace {

/// None: there is no such file, or it is too large.
std::optional<std::string> text_of_file(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > program_limits.bytes) return std::nullopt;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? std::optional(text.str()) : std::nullopt;
}

/// The paths that the text imports, by its words alone.
std::vector<fs::path> paths_in(const SourceRef& source) {
    static constexpr std::string_view word = "import";
    const std::string& text = source->text;
    const fs::path folder = fs::path(source->name).parent_path();
    std::vector<fs::path> paths;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t open = text.find_first_not_of(" \t\r\n", at + word.size());
        if (open == std::string::npos || text[open] != '"') continue;
        const std::size_t close = text.find_first_of("\"\n", open + 1);
        if (close != std::string::npos && text[close] == '"')
            paths.push_back(folder / text.substr(open + 1, close - open - 1));
    }
    return paths;
}

}  // namespace

Import imported(KascParser::ImportFileContext* context, const SourceRef& source, Building& building) {
    const ExpressionBuilder places(source, building);
    const Span span = places.span(context->TEXT()->getSymbol());
    const std::string name(text_of(span).substr(1, span.end - span.begin - 2));
    const auto fault = [&](const std::string& what, const std::string& help) {
        building.report.error("K0123", what, span).help = help;
        return Import{};
    };
    if (name.empty()) return fault("the name of the file is empty", "as in 'import \"waves.kas\";'");
    const fs::path shown = fs::path(as_given(span).source->name).parent_path() / name;
    std::error_code error;
    const std::string whole = fs::weakly_canonical(shown, error).string();
    const bool program = fs::weakly_canonical(building.ast.source->name, error).string() == whole;
    if (program || std::find(building.importing.begin(), building.importing.end(), whole) != building.importing.end())
        return fault(fmt::format("'{}' imports itself", name), "files import each other in one direction");
    if (building.imported.contains(whole)) return {};
    if (building.imported.size() >= most_imports)
        return fault(fmt::format("a program imports at most {} files", most_imports), "join some of them");
    if (!fs::is_regular_file(shown, error))
        return fault(fmt::format("there is no file '{}'", shown.string()),
                     "a path begins at the folder of the file that imports");
    if (fs::file_size(shown, error) > program_limits.bytes)
        return fault(fmt::format("'{}' is longer than {} bytes", name, program_limits.bytes), "is it a program?");
    const auto text = text_of_file(shown);
    if (!text) return fault(fmt::format("'{}' cannot be read", shown.string()), "check its permissions");
    building.imported.insert(whole);
    return {make_source(shown.string(), *text), whole};
}

bool may_be_imported(KascParser::ItemContext* item, const SourceRef& source, Building& building) {
    if (item->function() || item->procedure() || item->cellType() || item->list() || item->importFile()) return true;
    const ExpressionBuilder places(source, building);
    building.report
        .error("K0123", "an imported file holds functions, procedures, types and lists alone", places.span(item))
        .help = "declare it in the program, and pass it as an argument";
    return false;
}

}  // namespace kasc::frontend

namespace kasc {

std::vector<SourceRef> imported_texts(
    const SourceRef& program, const std::function<std::vector<std::filesystem::path>(const SourceRef&)>& named) {
    namespace fs = std::filesystem;
    std::vector<fs::path> open = named(program);
    std::vector<SourceRef> texts;
    std::set<std::string> read;
    for (std::size_t k = 0; k < open.size() && read.size() < frontend::most_imports; ++k) {
        const fs::path path = open[k];
        std::error_code error;
        if (!read.insert(fs::weakly_canonical(path, error).string()).second) continue;
        auto text = frontend::text_of_file(path);
        if (!text) continue;
        texts.push_back(make_source(path.string(), std::move(*text)));
        for (fs::path& inner : named(texts.back())) open.push_back(std::move(inner));
    }
    return texts;
}

SourceRef text_with_imports(const SourceRef& program) {
    const std::vector<SourceRef> imported = imported_texts(program, frontend::paths_in);
    if (imported.empty()) return program;
    std::string all = program->text;
    for (const SourceRef& text : imported) all += "\n" + text->text;
    return make_source(program->name, std::move(all));
}

}  // namespace kasc
