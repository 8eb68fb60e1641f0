#pragma once
// Walks over the text of a program.

#include <algorithm>

#include "frontend/ast.hpp"

namespace kasc::frontend {

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
