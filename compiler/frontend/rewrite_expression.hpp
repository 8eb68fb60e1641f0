#pragma once
// New expressions of old ones, for stages that write a program anew.

#include <algorithm>
#include <initializer_list>

#include "frontend/make_expression.hpp"

namespace kasc {

/// An integer that takes the place of a leaf among reals: what it computes stays arithmetic of integers. A number with
/// a sign is the same among reals.
[[nodiscard]] inline ExpressionRef among_reals(const ExpressionRef& made, const ExpressionRef& leaf) {
    const auto* sign = std::get_if<UnaryOperation>(&made->node);
    const bool computes = (sign && !std::holds_alternative<Literal>(sign->operand->node)) ||
                          std::holds_alternative<BinaryOperation>(made->node) ||
                          std::holds_alternative<Conditional>(made->node) ||
                          std::holds_alternative<IntrinsicCall>(made->node);
    if (made->kind != ScalarKind::integer || !computes) return made;
    return make_expression(IntrinsicCall{Intrinsic::to_real, {made}}, ScalarKind::real, leaf->span);
}

/// The expression with leaves replaced; null where `leaf` gives null for one. `in_reals`: it stands, whole, where a
/// real number does. With e / n for x, `0.5*x` becomes `0.5*float(e / n)`, and `x < 3` `e / n < 3`.
template <class Leaf>
[[nodiscard]] ExpressionRef with_leaves(const ExpressionRef& e, const Leaf& leaf, bool in_reals = false) {
    const bool real = e->kind == ScalarKind::real || e->kind == ScalarKind::complex;
    const auto made = [&](auto node, std::initializer_list<ExpressionRef> parts) -> ExpressionRef {
        if (std::any_of(parts.begin(), parts.end(), [](const ExpressionRef& part) { return !part; })) return nullptr;
        return make_expression(std::move(node), e->kind, e->span);
    };
    if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
        const ExpressionRef operand = with_leaves(u->operand, leaf, real);
        return made(UnaryOperation{u->op, operand}, {operand});
    }
    if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
        const auto is_integer = [](const ExpressionRef& side) { return side->kind == ScalarKind::integer; };
        const bool of_integers = e->kind == ScalarKind::integer || (is_integer(b->left) && is_integer(b->right));
        const bool reals = real || !of_integers;
        const ExpressionRef left = with_leaves(b->left, leaf, reals), right = with_leaves(b->right, leaf, reals);
        return made(BinaryOperation{b->op, left, right}, {left, right});
    }
    if (const auto* c = std::get_if<Conditional>(&e->node)) {
        const ExpressionRef condition = with_leaves(c->condition, leaf), then = with_leaves(c->then, leaf, real),
                            otherwise = with_leaves(c->otherwise, leaf, real);
        return made(Conditional{condition, then, otherwise}, {condition, then, otherwise});
    }
    const auto called = [&](auto call, bool of_reals) -> ExpressionRef {
        for (ExpressionRef& argument : call.arguments) {
            argument = with_leaves(argument, leaf, of_reals);
            if (!argument) return nullptr;
        }
        return make_expression(std::move(call), e->kind, e->span);
    };
    if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) {
        const bool of_integers = call->intrinsic == Intrinsic::to_real || call->intrinsic == Intrinsic::random;
        return called(*call, call->intrinsic == Intrinsic::to_integer || (real && !of_integers));
    }
    if (const auto* call = std::get_if<FunctionWord>(&e->node)) return called(*call, true);
    const ExpressionRef replaced = leaf(e);
    return replaced && in_reals && replaced != e ? among_reals(replaced, e) : replaced;
}

}  // namespace kasc
