// How often loops run whose bounds ask for the variables of loops around them, and of which some iterations are done
// several at a time.

#include "model/counted_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "frontend/make_expression.hpp"

namespace kasc {
namespace {

ExpressionRef number(double value) { return make_expression(Literal{value}, ScalarKind::integer, {}); }
ExpressionRef index(LoopId loop) { return make_expression(LoopIndexUse{loop}, ScalarKind::integer, {}); }
/// n % every == at
ExpressionRef is_at(const ExpressionRef& n, double every, double at) {
    const ExpressionRef rest =
        make_expression(BinaryOperation{BinaryOperator::modulo, n, number(every)}, ScalarKind::integer, {});
    return make_expression(BinaryOperation{BinaryOperator::equal, rest, number(at)}, ScalarKind::boolean, {});
}
ExpressionRef once(const ExpressionRef& condition) {
    return make_expression(Conditional{condition, number(1), number(0)}, ScalarKind::integer, {});
}
ExpressionRef not_at(const ExpressionRef& n, double every, double at, int together) {
    ExpressionRef all;
    for (int k = 0; k < together; ++k) {
        const ExpressionRef here =
            make_expression(BinaryOperation{BinaryOperator::add, n, number(k)}, ScalarKind::integer, {});
        const ExpressionRef none = make_expression(UnaryOperation{UnaryOperator::logical_not, is_at(here, every, at)},
                                                   ScalarKind::boolean, {});
        all = all == nullptr
                  ? none
                  : make_expression(BinaryOperation{BinaryOperator::logical_and, all, none}, ScalarKind::boolean, {});
    }
    return all;
}

TEST(CountedLoop, ConditionsHoldInAShareOfTheIterationsAroundThem) {
    Program program;
    const LoopId n = program.loops.add({"n", {}}), inner = program.loops.add({"once", {}});
    for (const double steps : {50.0, 1000.0, 1e6}) {
        const CountedLoop outer = counted_loop(program, n, number(0), number(steps), false, {});
        EXPECT_EQ(outer.iterations, steps);
        const CountedLoop every =
            counted_loop(program, inner, number(0), once(is_at(index(n), 10, 3)), false, problem_within(outer, {}));
        EXPECT_NEAR(every.iterations, 0.1, 0.01) << steps;
        for (const LoopIndices& run : every.runs) EXPECT_EQ(static_cast<long long>(run.at(n)) % 10, 3);
    }
}

TEST(CountedLoop, SeveralAtATimeAndTheirRestShareTheIterations) {
    Program program;
    const LoopId n = program.loops.add({"n", {}}), inner = program.loops.add({"once", {}});
    const LoopId n_4 = program.loops.add({"n_4", {}, 4, n, not_at(index(n), 10, 0, 4)});
    // 0 alone, 1 to 8 in two turns, 9 alone: of each ten.
    const CountedLoop several = counted_loop(program, n_4, number(0), number(1000 - 3), false, {});
    const CountedLoop rest = counted_loop(program, n, number(0), number(1000), false, {});
    EXPECT_EQ(several.iterations, 200);
    EXPECT_EQ(rest.iterations, 200);
    const CountedLoop recorded =
        counted_loop(program, inner, number(0), once(is_at(index(n), 10, 0)), false, problem_within(rest, {}));
    EXPECT_NEAR(recorded.iterations, 0.5, 0.01) << "every other one of the rest's";
    const CountedLoop longer = counted_loop(program, n_4, number(0), number(1e8 - 3), false, {});
    EXPECT_NEAR(longer.iterations, 2e7, 1e5);
}

/// A block of iterations that a kernel runs: n from max(0, 10 b - 9) to 10 b + 1, of which the first has one alone.
TEST(CountedLoop, KernelsRunLoopsAsLongAsThoseAroundThemSay) {
    Program program;
    const LoopId b = program.loops.add({"b", {}});
    const auto integer = [](BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
        return make_expression(BinaryOperation{op, left, right}, ScalarKind::integer, {});
    };
    const ExpressionRef block = integer(BinaryOperator::multiply, number(10), index(b));
    const ExpressionRef from = make_expression(
        IntrinsicCall{Intrinsic::maximum, {number(0), integer(BinaryOperator::subtract, block, number(9))}},
        ScalarKind::integer, {});
    const ExpressionRef to = integer(BinaryOperator::add, block, number(1));
    const CountedLoop blocks = counted_loop(program, b, number(0), number(100), false, {});
    EXPECT_NEAR(estimated_iterations(from, to, problem_within(blocks, {})), 9.91, 1e-9);
}

TEST(CountedLoop, UnknownConditionsHoldInHalf) {
    Program program;
    const LoopId n = program.loops.add({"n", {}}), inner = program.loops.add({"once", {}});
    const ParameterId limit = program.parameters.add({});
    const ExpressionRef unknown = make_expression(ParameterUse{limit}, ScalarKind::real, {});
    const ExpressionRef below =
        make_expression(BinaryOperation{BinaryOperator::less, index(n), unknown}, ScalarKind::boolean, {});
    Problem problem;
    problem.parameters = {NAN};
    const CountedLoop outer = counted_loop(program, n, number(0), number(100), false, problem);
    EXPECT_EQ(counted_loop(program, inner, number(0), once(below), false, problem_within(outer, problem)).iterations,
              0.5);
    problem.parameters = {25};
    EXPECT_EQ(counted_loop(program, inner, number(0), once(below), false, problem_within(outer, problem)).iterations,
              0.25);
}

}  // namespace
}  // namespace kasc
