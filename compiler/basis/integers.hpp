#pragma once
// Short names for expressions of integers. Internal to this folder.

#include "frontend/expressions_at.hpp"

namespace kasc::basis {

/// What the basis writes stands nowhere in the program.
inline const ExpressionsAt nowhere{};

[[nodiscard]] inline ExpressionRef number(int value) {
    const ExpressionRef size = nowhere.whole_number(value < 0 ? -value : value);
    return value < 0 ? make_expression(UnaryOperation{UnaryOperator::negate, size}, ScalarKind::integer, {}) : size;
}
[[nodiscard]] inline ExpressionRef value(ParameterId parameter) {
    return make_expression(ParameterUse{parameter}, ScalarKind::integer, {});
}
/// The operands are integers, or conditions.
[[nodiscard]] inline ExpressionRef both(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    const bool counts = op == BinaryOperator::add || op == BinaryOperator::subtract || op == BinaryOperator::divide;
    return counts ? nowhere.whole(op, left, right) : nowhere.holds(op, left, right);
}
[[nodiscard]] inline ExpressionRef choose(const ExpressionRef& condition, const ExpressionRef& then,
                                          const ExpressionRef& otherwise) {
    return nowhere.choice(condition, then, otherwise, then->kind);
}
/// The nearest to `position` from 0 to `last`.
[[nodiscard]] inline ExpressionRef between(const ExpressionRef& position, const ExpressionRef& last) {
    const ExpressionRef low = nowhere.call(Intrinsic::maximum, {position, number(0)}, ScalarKind::integer);
    return nowhere.call(Intrinsic::minimum, {low, last}, ScalarKind::integer);
}

}  // namespace kasc::basis
