#include "graph/shared_parts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/same_expression.hpp"

namespace kasc {
namespace {

ExpressionRef literal(double value, ScalarKind kind = ScalarKind::real) {
    return make_expression(Literal{value}, kind, {});
}
ExpressionRef operand(std::size_t number) { return make_expression(OperandUse{number}, ScalarKind::real, {}); }
ExpressionRef binary(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    return make_expression(BinaryOperation{op, left, right}, ScalarKind::real, {});
}
/// exp(-d * d), new at each call.
ExpressionRef weight() {
    const ExpressionRef negative =
        make_expression(UnaryOperation{UnaryOperator::negate, binary(BinaryOperator::multiply, operand(0), operand(0))},
                        ScalarKind::real, {});
    return make_expression(IntrinsicCall{Intrinsic::exp, {negative}}, ScalarKind::real, {});
}

FieldStatement assigned(const ExpressionRef& value) {
    return {{}, VariableId{0}, {}, {}, value, Precision::single, {}, nullptr};
}
ExpressionRef shared_value(const ExpressionRef& value) { return with_shared_parts(assigned(value)).value; }

std::size_t distinct(const Expression& e) {
    std::size_t count = 0;
    for_each_distinct_part(e, [&](const Expression&) { ++count; });
    return count;
}

TEST(SharedParts, EqualPartsAreOneAndTheValueIsTheSame) {
    const ExpressionRef of_a = binary(BinaryOperator::multiply, weight(), operand(1));
    const ExpressionRef of_b = binary(BinaryOperator::multiply, weight(), operand(2));
    const ExpressionRef whole = binary(BinaryOperator::add, binary(BinaryOperator::add, of_a, of_b), weight());
    EXPECT_EQ(distinct(*whole), 21U);
    const ExpressionRef shared = shared_value(whole);
    EXPECT_TRUE(same_expression(whole, shared));
    EXPECT_EQ(distinct(*shared), 10U);  // d, d * d, -, exp, a, b, two products, two sums
    EXPECT_EQ(operation_count(*shared), operation_count(*whole));
}

TEST(SharedParts, WhatIsNotEqualStaysApart) {
    // 0 and -0, numbers of integers and of reals, a - b and b - a, a + b and a - b.
    const auto stays = [](const ExpressionRef& left, const ExpressionRef& right) {
        const ExpressionRef shared = shared_value(binary(BinaryOperator::add, left, right));
        const auto& sum = std::get<BinaryOperation>(shared->node);
        return sum.left != sum.right && same_expression(sum.left, left) && same_expression(sum.right, right);
    };
    EXPECT_TRUE(stays(literal(0), literal(-0.0)));
    EXPECT_TRUE(stays(literal(2), literal(2, ScalarKind::integer)));
    EXPECT_TRUE(stays(binary(BinaryOperator::subtract, operand(0), operand(1)),
                      binary(BinaryOperator::subtract, operand(1), operand(0))));
    EXPECT_TRUE(stays(binary(BinaryOperator::add, operand(0), operand(1)),
                      binary(BinaryOperator::subtract, operand(0), operand(1))));
    EXPECT_TRUE(stays(make_expression(ParameterUse{ParameterId{0}}, ScalarKind::real, {}), operand(0)));
    EXPECT_FALSE(stays(operand(1), operand(1)));
}

TEST(SharedParts, AnExpressionWithoutEqualPartsIsTheSameObject) {
    const ExpressionRef sum = binary(BinaryOperator::add, operand(0), literal(1));
    EXPECT_EQ(shared_value(sum), sum);
}

TEST(SharedParts, PositionsHavePartsInCommonWithTheValue) {
    const auto place = [] {
        return make_expression(IntrinsicCall{Intrinsic::floor, {weight()}}, ScalarKind::real, {});
    };
    FieldStatement statement = assigned(binary(BinaryOperator::subtract, weight(), place()));
    statement.operands.push_back({VariableId{1}, {Computed{place()}}, {}});
    statement.target_indices.emplace_back(Computed{place()});
    const FieldStatement shared = with_shared_parts(statement);
    const ExpressionRef& read = std::get<Computed>(shared.operands[0].indices[0]).position;
    EXPECT_EQ(read, std::get<BinaryOperation>(shared.value->node).right);
    EXPECT_EQ(read, std::get<Computed>(shared.target_indices[0]).position);
}

}  // namespace
}  // namespace kasc
