#include "frontend/expression.hpp"

#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "unit/frontend/test_library.hpp"

namespace kasc {
namespace {

struct Read {
    Program program;
    FieldStatement statement;
};

Read read_value(const std::string& expression) {
    const auto outcome = read_program(
        make_source("x.kas", "float T[x] boundary mirror;\nparam float a;\nparam int k;\ninput T;\nT = " + expression +
                                 " + 0*T;\nreturn T;\n"),
        test::test_library());
    if (!outcome) throw std::runtime_error(render_text(outcome.diagnostics));
    return {*outcome, std::get<FieldStatement>(outcome->statements.at(0))};
}

/// The expression itself, without the "+ 0*T" that makes the program complete.
ExpressionRef left(const Read& read) { return std::get<BinaryOperation>(read.statement.value->node).left; }

std::string text(const std::string& expression) {
    const Read read = read_value("(" + expression + ")");
    std::vector<std::string> operands;
    for (const Operand& operand : read.statement.operands) operands.push_back(to_text(operand, read.program, operands));
    return to_text(*left(read), read.program, operands);
}

TEST(Expression, TextHasTheBracketsThatItNeeds) {
    EXPECT_EQ(text("a - (T - 2)"), "a - (T - 2)");
    EXPECT_EQ(text("(a - T) - 2"), "a - T - 2");
    EXPECT_EQ(text("(a*T)/(2*3)"), "a * T / (2 * 3)");
    EXPECT_EQ(text("-(-T)"), "-(-T)");
    EXPECT_EQ(text("-(a + T)"), "-(a + T)");
    EXPECT_EQ(text("(a < 1 || T > 2) && !(a == 3) ? (T > 1 ? 2 : 3) : T"),
              "(a < 1 || T > 2) && !(a == 3) ? T > 1 ? 2 : 3 : T");
    EXPECT_EQ(text("(T > 1 ? 2 : 3)*a"), "(T > 1 ? 2 : 3) * a");
    EXPECT_EQ(text("pow(T[-1], min(a, 0.5))"), "pow(T[-1], min(a, 0.5))");
}

TEST(Expression, TextOfARealComparisonIsNoneOfIntegers) {
    EXPECT_EQ(text("k / 2 > 3.0 ? 1 : 0"), "k / 2.0 > 3.0 ? 1 : 0");
    EXPECT_EQ(text("k / 2.0 > 3 ? 1 : 0"), "k / 2.0 > 3.0 ? 1 : 0");
    EXPECT_EQ(text("k / 2 > 3 ? 1 : 0"), "k / 2 > 3 ? 1 : 0");
    EXPECT_EQ(text("a > 3.0 ? 1 : 0"), "a > 3 ? 1 : 0");
}

TEST(Expression, UniformWhereNoFieldIsRead) {
    EXPECT_TRUE(is_uniform(*left(read_value("a*exp(2)/k"))));
    EXPECT_TRUE(is_uniform(*left(read_value("(a > 1 ? -a : k)"))));
    EXPECT_FALSE(is_uniform(*left(read_value("a*exp(T)/k"))));
    EXPECT_FALSE(is_uniform(*left(read_value("(T > 1 ? 2 : 3)"))));
    EXPECT_FALSE(is_uniform(*left(read_value("(-T)"))));
}

TEST(Expression, OperationsAreCounted) {
    EXPECT_EQ(operation_count(*left(read_value("(T[-1] - 2*T + T[1])"))), 3);
    EXPECT_EQ(operation_count(*left(read_value("exp(-T)"))), 2);
    EXPECT_EQ(operation_count(*left(read_value("(T > 1 && T < 2 ? 2*T : 3)"))), 3);
}

}  // namespace
}  // namespace kasc
