#pragma once
// New expressions of old ones, for stages that write a program anew.

#include <algorithm>
#include <initializer_list>

#include "frontend/make_expression.hpp"

namespace kasc {

/// The expression with leaves replaced; null where `leaf` gives null for one.
template <class Leaf>
[[nodiscard]] ExpressionRef with_leaves(const ExpressionRef& e, const Leaf& leaf) {
    const auto again = [&](const ExpressionRef& part) { return with_leaves(part, leaf); };
    const auto made = [&](auto node, std::initializer_list<ExpressionRef> parts) -> ExpressionRef {
        if (std::any_of(parts.begin(), parts.end(), [](const ExpressionRef& part) { return !part; })) return nullptr;
        return make_expression(std::move(node), e->kind, e->span);
    };
    if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
        const ExpressionRef operand = again(u->operand);
        return made(UnaryOperation{u->op, operand}, {operand});
    }
    if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
        const ExpressionRef left = again(b->left), right = again(b->right);
        return made(BinaryOperation{b->op, left, right}, {left, right});
    }
    if (const auto* c = std::get_if<Conditional>(&e->node)) {
        const ExpressionRef condition = again(c->condition), then = again(c->then), otherwise = again(c->otherwise);
        return made(Conditional{condition, then, otherwise}, {condition, then, otherwise});
    }
    const auto called = [&](auto call) -> ExpressionRef {
        for (ExpressionRef& argument : call.arguments) {
            argument = again(argument);
            if (!argument) return nullptr;
        }
        return make_expression(std::move(call), e->kind, e->span);
    };
    if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) return called(*call);
    if (const auto* call = std::get_if<FunctionWord>(&e->node)) return called(*call);
    return leaf(e);
}

}  // namespace kasc
