#pragma once
// Every part of an expression, for questions that one part answers.

#include <algorithm>

#include "frontend/expression.hpp"

namespace kasc {

/// Calls `visit` with every part of the expression, itself first.
template <class Visit>
void for_each_part(const Expression& e, const Visit& visit) {
    visit(e);
    const auto into = [&](const ExpressionRef& part) { for_each_part(*part, visit); };
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) into(u->operand);
    if (const auto* b = std::get_if<BinaryOperation>(&e.node)) {
        into(b->left);
        into(b->right);
    }
    if (const auto* c = std::get_if<Conditional>(&e.node)) {
        into(c->condition);
        into(c->then);
        into(c->otherwise);
    }
    if (const auto* call = std::get_if<IntrinsicCall>(&e.node))
        std::for_each(call->arguments.begin(), call->arguments.end(), into);
}

/// Its value depends on the iteration of the loop.
[[nodiscard]] inline bool moves_with(const Expression& expression, LoopId loop) {
    bool moves = false;
    for_each_part(expression, [&](const Expression& part) {
        const auto* use = std::get_if<LoopIndexUse>(&part.node);
        moves = moves || (use != nullptr && use->loop == loop);
    });
    return moves;
}

}  // namespace kasc
