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

/// The expression with `part(p, in_reals)` for each part p that it is made of directly, null where that gives null for
/// one. in_reals: p stands where a real number does. A leaf has none.
template <class Part>
[[nodiscard]] ExpressionRef with_parts(const ExpressionRef& e, const Part& part) {
    const bool real = e->kind == ScalarKind::real || e->kind == ScalarKind::complex;
    const auto made = [&](auto node, std::initializer_list<ExpressionRef> parts) -> ExpressionRef {
        if (std::any_of(parts.begin(), parts.end(), [](const ExpressionRef& p) { return !p; })) return nullptr;
        return make_expression(std::move(node), e->kind, e->span);
    };
    if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
        const ExpressionRef operand = part(u->operand, real);
        return made(UnaryOperation{u->op, operand}, {operand});
    }
    if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
        const auto is_integer = [](const ExpressionRef& side) { return side->kind == ScalarKind::integer; };
        const bool of_integers = e->kind == ScalarKind::integer || (is_integer(b->left) && is_integer(b->right));
        const bool reals = real || !of_integers;
        const ExpressionRef left = part(b->left, reals), right = part(b->right, reals);
        return made(BinaryOperation{b->op, left, right}, {left, right});
    }
    if (const auto* c = std::get_if<Conditional>(&e->node)) {
        const ExpressionRef condition = part(c->condition, false), then = part(c->then, real),
                            otherwise = part(c->otherwise, real);
        return made(Conditional{condition, then, otherwise}, {condition, then, otherwise});
    }
    const auto called = [&](auto call, bool of_reals) -> ExpressionRef {
        for (ExpressionRef& argument : call.arguments) {
            argument = part(argument, of_reals);
            if (!argument) return nullptr;
        }
        return make_expression(std::move(call), e->kind, e->span);
    };
    if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) {
        const bool of_integers = call->intrinsic == Intrinsic::to_real || call->intrinsic == Intrinsic::random;
        return called(*call, call->intrinsic == Intrinsic::to_integer || (real && !of_integers));
    }
    if (const auto* call = std::get_if<FunctionWord>(&e->node)) return called(*call, true);
    return e;
}

/// Whether an expression is made of no other.
[[nodiscard]] inline bool is_leaf(const Expression& e) {
    return !std::holds_alternative<UnaryOperation>(e.node) && !std::holds_alternative<BinaryOperation>(e.node) &&
           !std::holds_alternative<Conditional>(e.node) && !std::holds_alternative<IntrinsicCall>(e.node) &&
           !std::holds_alternative<FunctionWord>(e.node);
}

/// The expression with leaves replaced; null where `leaf` gives null for one. `in_reals`: it stands, whole, where a
/// real number does. With e / n for x, `0.5*x` becomes `0.5*float(e / n)`, and `x < 3` `e / n < 3`.
template <class Leaf>
[[nodiscard]] ExpressionRef with_leaves(const ExpressionRef& e, const Leaf& leaf, bool in_reals = false) {
    if (!is_leaf(*e))
        return with_parts(e, [&](const ExpressionRef& part, bool reals) { return with_leaves(part, leaf, reals); });
    const ExpressionRef replaced = leaf(e);
    return replaced && in_reals && replaced != e ? among_reals(replaced, e) : replaced;
}

}  // namespace kasc
