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
    std::ifstream in(shown, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) return fault(fmt::format("'{}' cannot be read", shown.string()), "check its permissions");
    building.imported.insert(whole);
    return {make_source(shown.string(), text.str()), whole};
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
