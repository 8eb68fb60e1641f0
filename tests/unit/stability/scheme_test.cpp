// Schemes beside heat: what must be told unstable, and what must not be.

#include <bit>
#include <chrono>
#include <cmath>

#include "unit/stability/stability_case.hpp"

namespace kasc {
namespace {

using test::exceeds;
using test::grows_at_any;
using test::StabilityCase;

/// A loop over one field T[x] and a coefficient c[x].
std::string line(const std::string& declarations, const std::string& body) {
    return declarations + " float T[x] boundary periodic; float c[x]; input T, c; for (n = 0; n < 10; n++) { " + body +
           " } return T;";
}

std::string messages(const std::string& program) { return StabilityCase(program).extents(24).messages(); }

TEST(Scheme, UpwindAdvectionIsStableUpToOneCellAStep) {
    const std::string upwind = "T = T - dt * c * (T - T[-1]);";
    EXPECT_EQ(messages(line("param float dt = 1;", upwind)), "");
    EXPECT_EQ(messages(line("param float dt = 1.25;", upwind)), exceeds("dt", "1.25", "1"));
}

TEST(Scheme, LaxWendroffNeedsTheQuarterWave) {
    // At θ = π: 1 - 2 c²; at π/2: |1 - c² - i c|. Both within 1 up to c = 1.
    const std::string body = "T = T - dt / 2 * (T[1] - T[-1]) + dt * dt / 2 * (T[1] - 2 * T + T[-1]);";
    EXPECT_EQ(messages(line("param float dt = 0.99;", body)), "");
    EXPECT_EQ(messages(line("param float dt = 1.5;", body)), exceeds("dt", "1.5", "1"));
    // Central differences alone: |1 - i c|, invisible at θ = 0 and θ = π, and above 1 at any step: 1.12^n is seen after
    // a hundred steps, not after ten.
    const std::string central = line("param float dt = 0.5; param int steps = 10;", "T = T - dt / 2 * (T[1] - T[-1]);");
    std::string longer = central;
    longer.replace(longer.find("n < 10"), 6, "n < steps");
    EXPECT_EQ(messages(central), "");
    EXPECT_EQ(StabilityCase(longer).extents(24).set("steps", 100).messages(), grows_at_any("dt", "0.5"));
    EXPECT_EQ(StabilityCase(longer).extents(24).set("steps", 100).largest_stable_step(), 0);
}

TEST(Scheme, AccumulatorsNeverWarn) {
    EXPECT_EQ(
        messages("param float dt = 9; float T[x] boundary periodic; float dose[x], hot[x]; input T; dose = 0; hot = T;"
                 "for (n = 0; n < 9; n++) { dose = dose + dt * pow(0.5, 43 - T[1]); hot = max(hot, 3 * T[-1]); }"
                 "return dose, hot;"),
        "");
}

TEST(Scheme, GrowthOfTheWholeNeverWarns) {
    EXPECT_EQ(messages(line("param float dt = 9;", "T = T + 0.1 * dt * T;")), "");
    EXPECT_EQ(messages(line("param float dt = 0.1;", "T = T + dt * T + dt * (T[-1] + T[1] - 2 * T);")), "");
    // The same reaction, but the diffusion overshoots: 1 + 1.1 at θ = 0, 1 + 1.1 - 4.4 at θ = π.
    EXPECT_NE(messages(line("param float dt = 1.1;", "T = T + dt * T + dt * (T[-1] + T[1] - 2 * T);")), "");
}

TEST(Scheme, FallbacksFollowTheStep) {
    const std::string declarations = "param float dt = 0.9; param float dx = 1; param float lambda = dt / (dx * dx);";
    const std::string body = "T = T + lambda * (T[-1] + T[1] - 2 * T);";
    EXPECT_EQ(messages(line(declarations, body)), exceeds("dt", "0.9", "0.5"));
    // Set by hand it does not follow, and is itself what is too large.
    EXPECT_EQ(StabilityCase(line(declarations, body)).extents(24).set("lambda", 0.7).messages(),
              exceeds("lambda", "0.7", "0.5"));
}

TEST(Scheme, TheParameterThatRestoresStabilityIsNamed) {
    // A smaller dx makes it worse, offset changes nothing.
    EXPECT_EQ(messages(line("param float dx = 1; param float offset = 3; param float k = 0.8;",
                            "T = offset + T + k / (dx * dx) * (T[-1] + T[1] - 2 * T);")),
              exceeds("k", "0.8", "0.5"));
    EXPECT_EQ(messages(line("param float dx = 1;", "T = T + 0.8 / (dx * dx) * (T[-1] + T[1] - 2 * T);")), "");
}

TEST(Scheme, CoefficientsComputedBeforeTheLoopAreKnown) {
    StabilityCase heat(
        "param float dt = 0.6; float T[x] boundary periodic; float r[x] boundary periodic; float c[x]; input T, c; r = "
        "dt * c;"
        "for (n = 0; n < 9; n++) { T = T + r * (T[-1] - T) + r[1] * (T[1] - T); } return T;");
    EXPECT_EQ(heat.extents(24).messages(), exceeds("dt", "0.6", "0.5"));
    EXPECT_EQ(heat.fill("c", 0.5F).messages(), "");
}

TEST(Scheme, NonlinearSchemesAreDifferentiated) {
    // d/dT of T²/2 is T: upwind Burgers is stable up to dt * T = 1.
    StabilityCase burgers(line("param float dt = 0.5;", "T = T - dt * (T * T - T[-1] * T[-1]) / 2 * c;"));
    EXPECT_EQ(burgers.extents(24).fill("T", 1.5F).messages(), "");
    EXPECT_EQ(burgers.fill("T", 4).messages(), exceeds("dt", "0.5", "0.25"));
    // The branch that is taken counts.
    StabilityCase branches(line("param float dt = 0.4;", "T = T + (T < 2 ? 1 : 2) * dt * (T[-1] + T[1] - 2 * T);"));
    EXPECT_EQ(branches.extents(24).fill("T", 1).messages(), "");
    EXPECT_EQ(branches.fill("T", 3).messages(), exceeds("dt", "0.4", "0.25"));
    EXPECT_EQ(branches.fill("T", NAN).messages(), "");
}

TEST(Scheme, IntrinsicsHaveTheirSlopes) {
    // Each slope at T = 1, with dt such that slope * dt is 0.6.
    for (const auto& [text, slope] :
         std::vector<std::pair<std::string, double>>{{"exp(T[S])", std::exp(1)},
                                                     {"log(T[S])", 1},
                                                     {"sqrt(T[S])", 0.5},
                                                     {"pow(T[S], 3)", 3},
                                                     {"pow(2, T[S])", 2 * std::log(2)},
                                                     {"sin(T[S])", std::cos(1)},
                                                     {"cos(T[S]) * -1", std::sin(1)},
                                                     {"tan(T[S])", 1 / (std::cos(1) * std::cos(1))},
                                                     {"tanh(T[S])", 1 / (std::cosh(1) * std::cosh(1))},
                                                     {"asin(T[S] / 2)", 1 / std::sqrt(3)},
                                                     {"acos(T[S] / -2)", 1 / std::sqrt(3)},
                                                     {"atan(T[S])", 0.5},
                                                     {"atan2(T[S], 2)", 0.4},
                                                     {"atan2(-2, T[S])", 0.4},
                                                     {"sinh(T[S])", std::cosh(1)},
                                                     {"cosh(T[S])", std::sinh(1)},
                                                     {"expm1(T[S])", std::exp(1)},
                                                     {"log2(T[S])", 1 / std::log(2)},
                                                     {"log10(T[S])", 1 / std::log(10)},
                                                     {"log1p(T[S])", 0.5},
                                                     {"cbrt(T[S])", 1.0 / 3},
                                                     {"hypot(T[S], 2)", 1 / std::sqrt(5)},
                                                     {"erf(T[S])", 2 / std::sqrt(std::acos(-1)) * std::exp(-1)},
                                                     {"-erfc(T[S])", 2 / std::sqrt(std::acos(-1)) * std::exp(-1)},
                                                     {"abs(T[S])", 1},
                                                     {"min(T[S], 2)", 1},
                                                     {"max(0, T[S])", 1},
                                                     {"-1 / T[S]", 1}}) {
        const auto at = [&, term = text](const char* offset) {
            std::string all = term;
            return all.replace(all.find('S'), 1, offset);
        };
        const std::string body = "T = T + dt * (" + at("-1") + " + " + at("1") + " - 2 * (" + at("0") + "));";
        EXPECT_EQ(StabilityCase(line("param float dt = 1;", body)).extents(24).set("dt", 0.499 / slope).messages(), "")
            << body;
        EXPECT_NE(StabilityCase(line("param float dt = 1;", body)).extents(24).set("dt", 0.501 / slope).messages(), "")
            << body;
    }
}

TEST(Scheme, CoupledFieldsAreTakenTogether) {
    // Leapfrog: stable up to dt = 1, though T' = 2 T - … alone would look unstable at any step.
    const std::string leapfrog =
        "param float dt = 1; float T[x] boundary periodic; float before[x], next[x]; input T, before; for (n = 0; n < "
        "9; n++) {"
        "next = 2 * T - before + dt * dt * (T[-1] + T[1] - 2 * T); before = T; T = next; } return T;";
    EXPECT_EQ(messages(leapfrog), "");
    EXPECT_EQ(StabilityCase(leapfrog).extents(24).set("dt", 1.1).messages(), exceeds("dt", "1.1", "1"));
    // Staggered grid, pressure and velocity.
    const std::string staggered =
        "param float dt = 0.7; float p[x, y] boundary periodic; float u[x, y] boundary periodic; float v[x, y] "
        "boundary periodic; input p, u, v; for (n = 0; n < 9; n++) {"
        "u = u - dt * (p[1, 0] - p); v = v - dt * (p[0, 1] - p); p = p - dt * (u - u[-1, 0] + v - v[0, -1]); } return "
        "p;";
    EXPECT_EQ(messages(staggered), "");  // up to sqrt(1/2) = 0.7071
    StabilityCase fast(staggered);
    const Diagnostics warnings = fast.extents(24).set("dt", 0.72).check();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].message + "\n", exceeds("dt", "0.72", "0.707"));
    EXPECT_EQ(warnings[0].notes.at(0).text.substr(0, 25), "p, u and v are multiplied");
}

TEST(Scheme, SlicesAndSeriesDoNotDisturb) {
    EXPECT_EQ(messages("param float dt = 0.6; param int px = 3; float T[x] boundary periodic; float probe[t], gain[t]; "
                       "input T, gain;"
                       "for (n = 0; n < 24; n++) { T = T + dt * gain[t = n] * (T[-1] + T[1] - 2 * T);"
                       "T[x = 0] = 37; probe[t = n] = T[x = px]; } return T, probe;"),
              exceeds("dt", "0.6", "0.5"));
}

TEST(Scheme, LoopsInsideOfOthersAreSchemesToo) {
    const std::string diffusion = "T = T + 0.9 * dt * c * (T[-1] + T[1] - 2 * T);";
    const std::string inner = "for (k = 0; k < 2; k++) { " + diffusion + " }";
    EXPECT_EQ(messages(line("param float dt = 1;", inner)), exceeds("dt", "1", "0.555"));
    EXPECT_EQ(messages(line("param float dt = 1;", "for (m = 0; m < 2; m++) { " + inner + " }")),
              exceeds("dt", "1", "0.555"));
    // What the outer loop computes before the inner one starts is known.
    const std::string declarations = "param float dt = 1; float k[x] boundary periodic;";
    EXPECT_EQ(messages(line(declarations,
                            "k = 2 * c; for (j = 0; j < 2; j++) { "
                            "T = T + dt * k * (T[-1] + T[1] - 2 * T); }")),
              exceeds("dt", "1", "0.25"));
}

/// Diffusion in a line of 24 cells with a coefficient by label, in the first six cells another than in the rest.
StabilityCase labelled(const std::string& update, float first, float rest) {
    StabilityCase made(
        "param float dt = 1; float T[x] boundary periodic, c[m]; int kind[x]; input T, c, kind;"
        "for (n = 0; n < 10; n++) { " +
        update + " } return T;");
    made.extent("x", 24).extent("m", 3);
    made.data("c") = {first, rest, 1000};
    std::vector<float>& words = made.data("kind");
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::bit_cast<float>(std::int32_t{i == 7 ? 0 : 1});
    return made;
}

TEST(Scheme, CoefficientsByLabelAreKnown) {
    const std::string diffusion = "T = T + dt * c[m = kind] * (T[-1] + T[1] - 2 * T);";
    EXPECT_EQ(labelled(diffusion, 0.25F, 0.5F).messages(), "");
    // One cell alone has label 0; no cell has the third label.
    EXPECT_EQ(labelled(diffusion, 2, 0.25F).messages(), exceeds("dt", "1", "0.25"));
    EXPECT_EQ(labelled(diffusion, 0.25F, 1).messages(), exceeds("dt", "1", "0.5"));
    // Beyond the table its last entry; integers are divided as integers are.
    EXPECT_NE(labelled("T = T + dt * c[m = kind + 9] * (T[-1] + T[1] - 2 * T);", 0, 0).messages(), "");
    EXPECT_EQ(labelled("T = T + dt * c[m = kind / 2] * (T[-1] + T[1] - 2 * T);", 0.25F, 9).messages(), "");
    EXPECT_EQ(labelled(diffusion, 0.25F, 0.4F).largest_stable_step(), 1.25);
}

TEST(Scheme, SweepsByColoursAreNotSuspected) {
    const auto sweep = [](const std::string& turn, const std::string& source) {
        return messages(
            line("param float dt = 0.9;", "T = " + turn + " ? T + dt * (T[-1] + T[1] - 2 * T) + " + source + " : T;"));
    };
    EXPECT_EQ(sweep("(x + n) % 2 == 0", "0"), "");
    EXPECT_EQ(sweep("x > 0", "0"), exceeds("dt", "0.9", "0.5"));
    // A source that is switched on and off is none.
    EXPECT_EQ(sweep("x > 0", "(x < 9 && n % 2 == 0 ? c : 0)"), exceeds("dt", "0.9", "0.5"));
}

TEST(Scheme, CoordinatesAndExtentsAreKnown) {
    const std::string halves = "T = T + dt * (x < extent(x) / 2 ? 0.25 : c) * (T[-1] + T[1] - 2 * T);";
    EXPECT_EQ(messages(line("param float dt = 1;", halves)), exceeds("dt", "1", "0.5"));
    EXPECT_EQ(messages(line("param float dt = 1;", "T = T + dt * (x < 24 ? 0.25 : c) * (T[-1] + T[1] - 2 * T);")), "");
}

TEST(Scheme, WhatDecidesAndIsNotKnownIsNamed) {
    const StabilityCase made(
        "param float dt; param float dx; param float blood; float T[x] boundary mirror, q[x], c[m];"
        "uint8 kind[x]; input T, q, c, kind; for (n = 0; n < 10; n++) {"
        "T = T + dt * (c[m = kind] * (T[-1] + T[1] - 2 * T) / (dx * dx) + q + 0.1 * (blood - T)); } return T;");
    EXPECT_EQ(made.deciding(), "c kind dt dx");
}

TEST(Scheme, WhatIsNotKnownSaysNothing) {
    const std::string diffusion = "T = T + 0.9 * dt * (T[-1] + T[1] - 2 * T);";
    EXPECT_EQ(messages("param float dt = 1; float T[x] boundary periodic; input T; T = 2 * T[1]; return T;"), "");
    EXPECT_EQ(StabilityCase(line("param float dt = 1;", diffusion)).extents(1).messages(), exceeds("dt", "1", "0.555"));
    // A rim that leaves no cell.
    EXPECT_EQ(StabilityCase("param float dt = 9; float T[x] boundary keep(2); input T; for (n = 0; n < 9; n++) {"
                            "T = T + dt * (T[-1] + T[1] - 2 * T); } return T;")
                  .extents(4)
                  .messages(),
              "");
}

TEST(Scheme, LongBodiesAreBounded) {
    const auto began = std::chrono::steady_clock::now();
    for (const int statements : {10, 100, 1000}) {
        std::string body;
        for (int i = 0; i < statements; ++i)
            body += "T = T + dt * (T[-1,0,0] + T[1,0,0] + T[0,-9,0] + T[0,0,3] - 4 * T);";
        static_cast<void>(
            StabilityCase("param float dt = 1; float T[x, y, z] boundary periodic; input T; for (n = 0; n < 9; n++) {" +
                          body + "} return T;")
                .extents(8)
                .check());
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    EXPECT_LT(passed.count(), 4);
}

}  // namespace
}  // namespace kasc
