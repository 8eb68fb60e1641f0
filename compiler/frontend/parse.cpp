#include "frontend/parse.hpp"

#include "frontend/ast_builder.hpp"
#include "frontend/report.hpp"

namespace kasc {

using namespace frontend;

namespace {

/// Whether a text is a whole program, or functions alone.
enum class Text { program, functions };

Outcome<Ast> parse_text(const SourceRef& source, Text kind, const ProgramSettings& settings) {
    Report report;
    AstBuilder builder(source, settings, report);
    // A part that seems missing may stand in an item that could not be read.
    const bool good = builder.read();
    if (!good) return failure<Ast>(report.take());
    Ast ast = kind == Text::program ? builder.finish() : builder.finish_functions();
    if (report.has_errors()) return failure<Ast>(report.take());
    return success(std::move(ast), report.take());
}

}  // namespace

Outcome<Ast> parse(const SourceRef& source, const ProgramSettings& settings) {
    return parse_text(source, Text::program, settings);
}

Outcome<std::vector<ast::Function>> parse_functions(const SourceRef& source) {
    Outcome<Ast> ast = parse_text(source, Text::functions, {});
    if (!ast) return failure<std::vector<ast::Function>>(std::move(ast.diagnostics));
    return success(std::move(ast.value->functions), std::move(ast.diagnostics));
}

}  // namespace kasc
