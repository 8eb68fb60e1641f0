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

TEST(Evaluate, KnowsTheLaterIntrinsics) {
    EXPECT_DOUBLE_EQ(value_of("param float a = 0.5; param float b = asin(a) + acos(a);"), std::acos(0.0));
    EXPECT_DOUBLE_EQ(value_of("param float a = 1; param float b = 4*atan(a) + atan2(0, -a);"), 2 * std::acos(-1.0));
    EXPECT_DOUBLE_EQ(value_of("param float a = 2; param float b = cosh(a) + sinh(a);"), std::exp(2));
    EXPECT_DOUBLE_EQ(value_of("param float a = 8; param float b = log2(a) + log10(100) + cbrt(a) + hypot(3, 4);"), 12);
    EXPECT_DOUBLE_EQ(value_of("param float a = 0.3; param float b = erf(a) + erfc(a) + log1p(expm1(a));"), 1.3);
    EXPECT_DOUBLE_EQ(value_of("param float a = 2.5; param float b = round(a) + round(-a)*10 + ceil(a)*100 + ceil(-a);"),
                     3 - 30 + 300 - 2);
}

TEST(Evaluate, CutsRealsToIntegers) {
    EXPECT_EQ(value_of("param float a = 2.9; param int n = int(a) + 10*int(-a) + int(floor(-a));"), 2 - 20 - 3);
    EXPECT_EQ(value_of("param int n = int(1e20);"), 2147483647);
    EXPECT_EQ(value_of("param int n = int(-1e20);"), -2147483648.0);
    EXPECT_EQ(value_of("param float zero = 0; param int n = int(zero/zero) + 5;"), 5);
    EXPECT_EQ(value_of("param int n = 7; param float a = float(n/2)/2 + n/2;"), 5);
}

TEST(Evaluate, OperatesOnBits) {
    EXPECT_EQ(value_of("param int n = 12; param int m = (n & 10) + 100*(n | 3) + 10000*(n ^ 5);"), 8 + 1500 + 90000);
    EXPECT_EQ(value_of("param int n = -7; param int m = ~n + 100*(n >> 1) + 10000*(n << 2);"), 6 - 400 - 280000);
    // Counts are taken modulo 32, what is shifted out is lost.
    EXPECT_EQ(value_of("param int n = 33; param int m = (3 << n) + 100*(3 >> n);"), 6 + 100);
    EXPECT_EQ(value_of("param int n = -1; param int m = 3 << n;"), -2147483648.0);
    EXPECT_EQ(value_of("param int n = 3; param int m = min(n, 2) + 10*max(n, 2) + 100*abs(-n);"), 2 + 30 + 300);
}

TEST(Evaluate, IntegersTakeRealsInFloatUnlessAParameterIsOfDouble) {
    const auto steps = [](const std::string& type) {
        const auto program = read_program(
            make_source("p.kas", "param " + type +
                                     " dt = 0.1; param int n = int(0.3/dt); float T[x]; input T; T = T + n;"
                                     "return T;"),
            Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        return program ? evaluate_integer(*program->parameters[ParameterId{1}].fallback, *program, {0.1}) : 0;
    };
    EXPECT_EQ(steps("float"), static_cast<int>(0.3F / 0.1F));
    EXPECT_EQ(steps("double"), static_cast<int>(0.3 / 0.1));
    EXPECT_NE(steps("float"), steps("double"));
}

TEST(Evaluate, TakesLoopIndicesFromTheirMap) {
    const Expression index{LoopIndexUse{LoopId{1}}, ScalarKind::integer, {}};
    EXPECT_EQ(evaluate(index, {}), 0);
    EXPECT_EQ(evaluate(index, {}, {{LoopId{1}, 5}}), 5);
}

}  // namespace
}  // namespace kasc
