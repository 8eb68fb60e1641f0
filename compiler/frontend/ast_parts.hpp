#pragma once
// Expressions of a program's text: made, and walked over.

#include <algorithm>
#include <utility>

#include "frontend/ast.hpp"

namespace kasc::frontend {

[[nodiscard]] inline ast::ExpressionRef made(decltype(ast::Expression::node) node, const Span& span) {
    return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), span});
}

/// Calls `visit` with each operand of the expression; what stands in the brackets of a field is none.
template <class Visit>
void for_each_operand(const ast::Expression& e, const Visit& visit) {
    if (const auto* call = std::get_if<ast::Call>(&e.node))
        std::for_each(call->arguments.begin(), call->arguments.end(), visit);
    if (const auto* unary = std::get_if<ast::Unary>(&e.node)) visit(unary->operand);
    if (const auto* binary = std::get_if<ast::Binary>(&e.node)) {
        visit(binary->left);
        visit(binary->right);
    }
    if (const auto* choice = std::get_if<ast::Conditional>(&e.node)) {
        visit(choice->condition);
        visit(choice->then);
        visit(choice->otherwise);
    }
}

}  // namespace kasc::frontend
