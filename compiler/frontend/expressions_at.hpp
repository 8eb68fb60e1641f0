#pragma once
// Expressions that the compiler writes, all of one place of the program.

#include <utility>
#include <vector>

#include "frontend/make_expression.hpp"

namespace kasc {

struct ExpressionsAt {
    Span span;

    [[nodiscard]] ExpressionRef number(double value, ScalarKind kind = ScalarKind::real) const {
        return make_expression(Literal{value}, kind, span);
    }
    [[nodiscard]] ExpressionRef whole_number(long long value) const {
        return number(static_cast<double>(value), ScalarKind::integer);
    }
    [[nodiscard]] ExpressionRef coordinate(AxisId axis) const {
        return make_expression(CoordinateUse{axis}, ScalarKind::integer, span);
    }
    [[nodiscard]] ExpressionRef extent(AxisId axis) const {
        return make_expression(ExtentUse{axis}, ScalarKind::integer, span);
    }
    [[nodiscard]] ExpressionRef operand(std::size_t number, ScalarKind kind) const {
        return make_expression(OperandUse{number}, kind, span);
    }
    [[nodiscard]] ExpressionRef of_two(BinaryOperator op, ExpressionRef left, ExpressionRef right,
                                       ScalarKind kind = ScalarKind::real) const {
        return make_expression(BinaryOperation{op, std::move(left), std::move(right)}, kind, span);
    }
    [[nodiscard]] ExpressionRef whole(BinaryOperator op, ExpressionRef left, ExpressionRef right) const {
        return of_two(op, std::move(left), std::move(right), ScalarKind::integer);
    }
    [[nodiscard]] ExpressionRef holds(BinaryOperator op, ExpressionRef left, ExpressionRef right) const {
        return of_two(op, std::move(left), std::move(right), ScalarKind::boolean);
    }
    [[nodiscard]] ExpressionRef choice(ExpressionRef condition, ExpressionRef then, ExpressionRef otherwise,
                                       ScalarKind kind = ScalarKind::real) const {
        return make_expression(Conditional{std::move(condition), std::move(then), std::move(otherwise)}, kind, span);
    }
    [[nodiscard]] ExpressionRef call(Intrinsic intrinsic, std::vector<ExpressionRef> arguments,
                                     ScalarKind kind = ScalarKind::real) const {
        return make_expression(IntrinsicCall{intrinsic, std::move(arguments)}, kind, span);
    }
};

}  // namespace kasc
