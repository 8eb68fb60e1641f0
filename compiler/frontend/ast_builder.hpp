#pragma once
// Parse trees → Ast, item by item, and the order of the parts.

#include <map>
#include <optional>

#include "frontend/ast.hpp"
#include "frontend/program.hpp"
#include "frontend/report.hpp"

namespace antlr4 {
class ParserRuleContext;
}

namespace kasc::frontend {

class AstBuilder {
public:
    AstBuilder(const SourceRef& source, const ProgramSettings& settings, Report& report);
    /// `item` is a KascParser::ItemContext without errors.
    void add(antlr4::ParserRuleContext* item);
    /// Checks that no part is missing.
    [[nodiscard]] Ast finish();
    /// Checks that there is nothing but functions.
    [[nodiscard]] Ast finish_functions();

private:
    /// The parts of a program in their order.
    enum class Part { declarations, inputs, requirements, statements, outputs };
    void enter(Part part, const Span& span, const char* what);
    void add_option(antlr4::ParserRuleContext* context);
    void add_declaration(ast::Declaration declaration);
    [[nodiscard]] bool once(Span& before, const Span& span, const char* word);

    Report& report_;
    const ProgramSettings& settings_;
    Ast ast_;
    Part part_ = Part::declarations;
    Span part_span_;  ///< what began the current part
    Span inputs_span_, outputs_span_;
    Span last_;                    ///< the item before
    Span not_a_function_;          ///< the first item that is none
    bool unknown_branch_ = false;  ///< of an if whose condition is at fault
};

}  // namespace kasc::frontend
