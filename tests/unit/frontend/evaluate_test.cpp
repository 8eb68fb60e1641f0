// Values of parameters' fallbacks, as the front end makes their trees.

#include "frontend/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "frontend/program.hpp"

namespace kasc {
namespace {

/// The value of the last parameter, the earlier ones at their fallbacks.
double value_of(const std::string& parameters) {
    const auto program =
        read_program(make_source("p.kas", parameters + " float T[x]; input T; T = T + 1; return T;"), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    std::vector<double> values;
    if (!program) return 0;
    for (const Parameter& p : program->parameters) values.push_back(evaluate(*p.fallback, values));
    return values.back();
}

TEST(Evaluate, FollowsEarlierParameters) {
    EXPECT_DOUBLE_EQ(value_of("param float dt = 0.5; param float dx = 0.25; param float r = dt / (dx * dx);"), 8);
    EXPECT_DOUBLE_EQ(value_of("param float a = 3; param float b = a > 2 ? -a : a;"), -3);
}

TEST(Evaluate, TruncatesIntegers) {
    EXPECT_EQ(value_of("param int n = 7; param int m = n / 2;"), 3);
    EXPECT_EQ(value_of("param int n = 7; param int m = -n / 2 * 2;"), -6);
    EXPECT_EQ(value_of("param int n = 7; param int m = n % 4;"), 3);
}

TEST(Evaluate, KnowsTheIntrinsics) {
    EXPECT_DOUBLE_EQ(value_of("param float a = 2; param float b = pow(a, 3) + sqrt(a * 8) + max(a, 5) + min(a, 1);"),
                     18);
    EXPECT_DOUBLE_EQ(value_of("param float a = 2; param float b = exp(log(a)) + abs(-a) + floor(2.5);"), 6);
    EXPECT_DOUBLE_EQ(value_of("param float a = 0; param float b = sin(a) + cos(a) + tan(a) + tanh(a);"), 1);
    EXPECT_TRUE(std::isinf(value_of("param float a = 0; param float b = 1 / a;")));
}

TEST(Evaluate, TakesLoopIndicesFromTheirMap) {
    const Expression index{LoopIndexUse{LoopId{1}}, ScalarKind::integer, {}};
    EXPECT_EQ(evaluate(index, {}), 0);
    EXPECT_EQ(evaluate(index, {}, {{LoopId{1}, 5}}), 5);
}

}  // namespace
}  // namespace kasc
