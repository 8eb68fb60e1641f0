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

TEST(Expression, TextOfBitsIsReadAsItIs) {
    EXPECT_EQ(text("(x & 3 | 1) == 2 ? 1 : 0"), "(x & 3 | 1) == 2 ? 1 : 0");
    EXPECT_EQ(text("((x | 1) & ~(k << 2 + x)) > 0 ? 1 : 0"), "((x | 1) & ~(k << 2 + x)) > 0 ? 1 : 0");
    EXPECT_EQ(text("(x ^ (k ^ 1)) >> 1 > 0 ? 1 : 0"), "(x ^ (k ^ 1)) >> 1 > 0 ? 1 : 0");
    EXPECT_EQ(text("0.5*(x & 3)"), "0.5 * float(x & 3)");
}

TEST(Expression, TextSaysWhereNumbersAreConverted) {
    EXPECT_EQ(text("T[x = int(floor(a)) + x]"), "T[x = int(floor(a)) + x]");
    EXPECT_EQ(text("int(a)/2"), "float(int(a)) / 2");
    EXPECT_EQ(text("float(k/2)"), "float(k / 2)");
    EXPECT_EQ(text("int(int(x)) == 3 ? 1 : 0"), "x == 3 ? 1 : 0");
    EXPECT_EQ(text("min(x, 3) > 2.0 ? 1 : 0"), "min(x, 3.0) > 2.0 ? 1 : 0");
}

TEST(Expression, ComparisonsOfIntegersAreMadeAsSuch) {
    const auto kind = [](const std::string& condition) {
        const Read read = read_value("(" + condition + " ? 1 : 0)");
        const auto& choice = std::get<Conditional>(left(read)->node);
        return std::get<BinaryOperation>(choice.condition->node).left->kind;
    };
    for (const char* whole : {"int(T) > 3", "max(x, k) > 3", "abs(x - 5) > 3", "(x >> 1) > 3", "~x < 0"})
        EXPECT_EQ(kind(whole), ScalarKind::integer) << whole;
    for (const char* real : {"int(T) > 3.0", "max(x, T) > 3", "abs(T) > 3", "float(x) > 3", "floor(T) > 3"})
        EXPECT_EQ(kind(real), ScalarKind::real) << real;
}

TEST(Expression, FunctionsThatMakeIntegersAreComparedAsSuch) {
    const auto program = read_program(
        make_source("x.kas",
                    "float T[x]; int I[x]; function cell(p) = int(floor(p)) + 1; function halved(n) = n/2; input T;"
                    "I = cell(T) > 3 && halved(x) > 1 ? 1 : 0; return I;"),
        test::test_library());
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    const auto& statement = std::get<FieldStatement>(program->statements.at(0));
    const auto& both = std::get<BinaryOperation>(std::get<Conditional>(statement.value->node).condition->node);
    EXPECT_EQ(std::get<BinaryOperation>(both.left->node).left->kind, ScalarKind::integer);
    EXPECT_EQ(std::get<BinaryOperation>(both.right->node).left->kind, ScalarKind::real) << "as ever, x/2 is a real";
}

TEST(Expression, LateNamesOfFunctionsAreThoseOfTheProgramWhereItDeclaresThem) {
    const auto program = read_program(
        make_source("x.kas", "float T[x]; function hypot(a, b) = a - b; input T; T = hypot(T, 1) + cbrt(T); return T;"),
        test::test_library());
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    const auto& statement = std::get<FieldStatement>(program->statements.at(0));
    EXPECT_EQ(to_text(*statement.value, *program, {"T"}), "T - 1 + cbrt(T)");
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
    EXPECT_EQ(operation_count(*left(read_value("float(~x & 3)"))), 3);
    EXPECT_EQ(operation_count(*left(read_value("(T > 1 && T < 2 ? 2*T : 3)"))), 3);
}

}  // namespace
}  // namespace kasc
