#pragma once
// Parse trees of expressions → ast. Internal to the parser: this header and ast_builder.cpp know ANTLR.

#include <KascParser.h>

#include "frontend/building.hpp"

namespace kasc::frontend {

class ExpressionBuilder {
public:
    ExpressionBuilder(const SourceRef& source, Building& building)
        : source_(source), building_(building), report_(building.report) {}

    /// A number, with an error, where the tree is deeper than program_limits.tree_depth, or large with its names
    /// expanded.
    [[nodiscard]] ast::ExpressionRef expression(grammar::KascParser::ExpressionContext* context, std::size_t depth = 0);
    /// Reports a bracket that mixes offsets and axes.
    [[nodiscard]] std::vector<ast::Index> indices(grammar::KascParser::IndicesContext* context, std::size_t depth = 0);
    [[nodiscard]] ast::Name name(grammar::KascParser::NameContext* context) const;
    /// A word of a cell, without the dot: "x", "12".
    [[nodiscard]] ast::Name word(grammar::KascParser::WordContext* context) const;
    [[nodiscard]] Span span(antlr4::ParserRuleContext* context) const;
    [[nodiscard]] Span span(antlr4::Token* token) const;
    [[nodiscard]] const SourceRef& source() const { return source_; }
    /// Nodes of the last expression that was asked for, with its names for expressions expanded, and its depth.
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] std::size_t deepest() const { return deepest_; }

private:
    [[nodiscard]] ast::ExpressionRef node(grammar::KascParser::ExpressionContext* context, std::size_t depth);
    [[nodiscard]] ast::ExpressionRef use(const ast::Name& name, std::size_t depth);
    [[nodiscard]] ast::ExpressionRef access(grammar::KascParser::AccessContext* context, std::size_t depth);
    [[nodiscard]] ast::ExpressionRef call(grammar::KascParser::CallContext* context, std::size_t depth);
    /// Null: it is no sum over a list.
    [[nodiscard]] ast::ExpressionRef sum_over_list(grammar::KascParser::CallContext* context, std::size_t depth);
    [[nodiscard]] ast::ExpressionRef binary(grammar::KascParser::BinaryContext* context, std::size_t depth);

    const SourceRef& source_;
    Building& building_;
    Report& report_;
    std::size_t nodes_ = 0, deepest_ = 0;
    bool exhausted_ = false;
};

}  // namespace kasc::frontend
