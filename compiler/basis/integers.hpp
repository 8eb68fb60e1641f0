#pragma once
// Short names for expressions of integers. Internal to this folder.

#include "frontend/make_expression.hpp"

namespace kasc::basis {

[[nodiscard]] inline ExpressionRef number(int value) {
    const ExpressionRef size =
        make_expression(Literal{static_cast<double>(value < 0 ? -value : value)}, ScalarKind::integer, {});
    return value < 0 ? make_expression(UnaryOperation{UnaryOperator::negate, size}, ScalarKind::integer, {}) : size;
}
[[nodiscard]] inline ExpressionRef value(ParameterId parameter) {
    return make_expression(ParameterUse{parameter}, ScalarKind::integer, {});
}
/// The operands are integers, or conditions.
[[nodiscard]] inline ExpressionRef both(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    const bool counts = op == BinaryOperator::add || op == BinaryOperator::subtract || op == BinaryOperator::divide;
    return make_expression(BinaryOperation{op, left, right}, counts ? ScalarKind::integer : ScalarKind::boolean, {});
}
[[nodiscard]] inline ExpressionRef choose(const ExpressionRef& condition, const ExpressionRef& then,
                                          const ExpressionRef& otherwise) {
    return make_expression(Conditional{condition, then, otherwise}, then->kind, {});
}
/// The nearest to `position` from 0 to `last`.
[[nodiscard]] inline ExpressionRef between(const ExpressionRef& position, const ExpressionRef& last) {
    const ExpressionRef low =
        make_expression(IntrinsicCall{Intrinsic::maximum, {position, number(0)}}, ScalarKind::integer, {});
    return make_expression(IntrinsicCall{Intrinsic::minimum, {low, last}}, ScalarKind::integer, {});
}

}  // namespace kasc::basis
