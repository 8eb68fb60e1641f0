#pragma once
// Every part of an expression, for questions that one part answers.

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "foundation/cell_type.hpp"
#include "frontend/expression.hpp"

namespace kasc {

/// Calls `visit` with what the expression is made of directly, in order.
template <class Visit>
void for_each_operand_part(const Expression& e, const Visit& visit) {
    const auto into = [&](const ExpressionRef& part) { visit(*part); };
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
    if (const auto* call = std::get_if<FunctionWord>(&e.node))
        std::for_each(call->arguments.begin(), call->arguments.end(), into);
}

/// Calls `visit` with every part of the expression, itself first.
template <class Visit>
void for_each_part(const Expression& e, const Visit& visit) {
    visit(e);
    for_each_operand_part(e, [&](const Expression& part) { for_each_part(part, visit); });
}

/// Likewise, with a part that stands in several places the first time alone (graph/shared_parts).
template <class Visit>
void for_each_distinct_part(const Expression& e, const Visit& visit) {
    std::unordered_set<const Expression*> seen;
    const auto into = [&](const auto& self, const Expression& part) -> void {
        if (!seen.insert(&part).second) return;
        visit(part);
        for_each_operand_part(part, [&](const Expression& inner) { self(self, inner); });
    };
    into(into, e);
}

/// Some part of the expression is so, itself or one within it.
template <class Is>
[[nodiscard]] bool any_part(const Expression& e, const Is& is) {
    bool found = is(e);
    for_each_operand_part(e, [&](const Expression& part) { found = found || any_part(part, is); });
    return found;
}

/// An integer as programs write it: 3, or -3. None: it is something else.
[[nodiscard]] inline std::optional<long long> written_integer(const Expression& e) {
    const auto* minus = std::get_if<UnaryOperation>(&e.node);
    const bool negative = minus != nullptr && minus->op == UnaryOperator::negate;
    const auto* literal = std::get_if<Literal>(negative ? &minus->operand->node : &e.node);
    if (literal == nullptr || e.kind != ScalarKind::integer) return std::nullopt;
    const auto number = static_cast<long long>(literal->value);
    return negative ? -number : number;
}

/// What it is depends on where along the axis its cell stands, beside what operands are.
[[nodiscard]] inline bool asks_for(const Expression& e, AxisId axis) {
    return e.facts.places && any_part(e, [&](const Expression& part) {
               const auto* use = std::get_if<CoordinateUse>(&part.node);
               return use != nullptr && use->axis == axis;
           });
}

/// The variable of that loop stands in it; without one, that of any loop.
[[nodiscard]] inline bool uses_loop(const Expression& expression, std::optional<LoopId> loop = std::nullopt) {
    return any_part(expression, [&](const Expression& part) {
        const auto* index = std::get_if<LoopIndexUse>(&part.node);
        return index != nullptr && (!loop || index->loop == *loop);
    });
}

/// Precision of the reals in an integer that is the same for all cells: double where a parameter of double stands in
/// it. One parameter of a kernel so serves statements of either precision.
template <class OfParameter>
[[nodiscard]] Precision precision_in_integer(const Expression& integer, const OfParameter& of_parameter) {
    const bool dual = any_part(integer, [&](const Expression& part) {
        const auto* use = std::get_if<ParameterUse>(&part.node);
        return use != nullptr && of_parameter(use->parameter) == Precision::dual;
    });
    return dual ? Precision::dual : Precision::single;
}

}  // namespace kasc
