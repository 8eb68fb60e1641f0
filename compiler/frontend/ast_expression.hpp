#pragma once
// Parse trees of expressions → ast. Internal to the parser: this header and ast_builder.cpp know ANTLR.

#include <KascParser.h>

#include "frontend/ast.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

class ExpressionBuilder {
public:
    ExpressionBuilder(const SourceRef& source, Report& report) : source_(source), report_(report) {}

    /// Null, with an error, where the tree is deeper than program_limits.tree_depth.
    [[nodiscard]] ast::ExpressionRef expression(grammar::KascParser::ExpressionContext* context, std::size_t depth = 0);
    /// Reports a bracket that mixes offsets and axes.
    [[nodiscard]] std::vector<ast::Index> indices(grammar::KascParser::IndicesContext* context, std::size_t depth = 0);
    [[nodiscard]] ast::Name name(grammar::KascParser::NameContext* context) const;
    /// Of a cell, without the dot: "x", "12".
    [[nodiscard]] ast::Name word(grammar::KascParser::WordContext* context) const;
    [[nodiscard]] Span span(antlr4::ParserRuleContext* context) const;
    [[nodiscard]] Span span(antlr4::Token* token) const;

private:
    [[nodiscard]] ast::ExpressionRef binary(grammar::KascParser::BinaryContext* context, std::size_t depth);

    const SourceRef& source_;
    Report& report_;
};

}  // namespace kasc::frontend
