// Heat in two and three dimensions, whose exact discrete limits are known: the 5-point stencil 1/4, the 4th-order
// second derivative has the symbol -16/3 at θ = π along each axis, so dt * beta / dx² * 3 * 16/3 <= 2.

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "unit/stability/stability_case.hpp"

namespace kasc {
namespace {

using test::exceeds;
using test::StabilityCase;

std::string example(const std::string& name) {
    std::ifstream file(std::filesystem::path(KASC_SOURCE_DIR) / "examples" / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

StabilityCase block(const std::string& text, double dt, float beta, long long extent = 16) {
    StabilityCase heat(text);
    heat.extents(extent).set("dt", dt).fill("beta", beta).fill("T", 37);
    return heat;
}

TEST(Heat, FivePointStencilIsStableUpToAQuarter) {
    EXPECT_EQ(StabilityCase(example("heat2d.kas")).extents(32).messages(), "");
    EXPECT_EQ(StabilityCase(example("heat2d.kas")).extents(32).set("alpha", 0.25).messages(), "");
    EXPECT_EQ(StabilityCase(example("heat2d.kas")).extents(32).set("alpha", 0.26).messages(),
              exceeds("alpha", "0.26", "0.25"));
}

TEST(Heat, ThirteenPointStencilHasItsDiscreteLimit) {
    // dx = 1e-3, beta = 1.3e-7: 2 * 1e-6 / (16 * 1.3e-7) = 0.9615
    EXPECT_EQ(block(example("heat3d.kas"), 0.961, 1.3e-7F).messages(), "");
    EXPECT_EQ(block(example("heat3d.kas"), 0.962, 1.3e-7F).messages(), exceeds("dt", "0.962", "0.961"));
    EXPECT_EQ(block(example("heat3d.kas"), 500, 1.3e-7F).messages(), exceeds("dt", "500", "0.961"));
}

TEST(Heat, AStableStepKnowsHowLargeItMayBecome) {
    EXPECT_EQ(block(example("heat3d.kas"), 0.01, 1.3e-7F).largest_stable_step(), 0.961);
    EXPECT_EQ(block(example("heat3d.kas"), 0.961, 1.3e-7F).largest_stable_step(), 0.961);
    EXPECT_EQ(block(example("heat3d.kas"), 1e-6, 1.3e-7F).largest_stable_step(), 0) << "beyond a thousand times";
    EXPECT_EQ(StabilityCase(example("heat2d.kas")).extents(32).largest_stable_step(), 0.25) << "of alpha: it has no dt";
    EXPECT_EQ(block(example("heat3d.kas"), 500, 1.3e-7F).largest_stable_step(), 0.961) << "an unstable one too";
}

TEST(Heat, OneExpressionGivesTheAnswerOfSeparateStatements) {
    const std::string separate = R"(param float dt = 2;
float T[x] boundary keep(1); float L[x], beta[x];
input T, beta;
for (n = 0; n < 10; n++) {
    L = T[-1] + T[1] - 2 * T;
    T = T + dt * (beta * L);
    T = T + dt * 7;
}
return T;)";
    const std::string single = R"(param float dt = 2;
float T[x] boundary keep(1); float beta[x];
input T, beta;
for (n = 0; n < 10; n++) { T = T + dt * (beta * (T[-1] + T[1] - 2 * T)) + dt * 7; }
return T;)";
    EXPECT_EQ(StabilityCase(single).extents(20).messages(), exceeds("dt", "2", "0.5"));
    EXPECT_EQ(StabilityCase(separate).extents(20).messages(), exceeds("dt", "2", "0.5"));
}

TEST(Heat, TheWorstCellDecides) {
    StabilityCase heat = block(example("heat3d.kas"), 0.9, 1e-7F);
    EXPECT_EQ(heat.messages(), "");
    heat.data("beta")[static_cast<std::size_t>(5 + 16 * (7 + 16 * 9))] = 2e-7F;  // limit 2e-6 / 3.2e-6 = 0.625
    const Diagnostics warnings = heat.check();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].message + "\n", exceeds("dt", "0.9", "0.625"));
    ASSERT_EQ(warnings[0].notes.size(), 1U);
    EXPECT_NE(warnings[0].notes[0].text.find("at cell (5, 7, 9)"), std::string::npos) << warnings[0].notes[0].text;
}

TEST(Heat, LayersThatAreKeptDoNotCount) {
    StabilityCase heat = block(example("heat3d.kas"), 0.9, 1e-7F);
    heat.data("beta")[static_cast<std::size_t>(1 + 16 * (7 + 16 * 9))] = 1;
    EXPECT_EQ(heat.messages(), "");
}

TEST(Heat, SourcesDoNotMatter) {
    StabilityCase heat = block(example("heat3d.kas"), 0.9, 1e-7F);
    EXPECT_EQ(heat.fill("q", 1e6F).fill("on", 1).messages(), "");
}

TEST(Heat, BioheatWarnsOfTheTemperatureOnly) {
    StabilityCase heat = block(example("bioheat.kas"), 3, 1.3e-7F);
    heat.fill("perf", 0.001F);
    // 2 / (16 * 1.3e-7 / 1e-6 + 0.001) = 0.9610
    EXPECT_EQ(heat.messages(), exceeds("dt", "3", "0.961"));
    EXPECT_EQ(heat.set("dt", 0.9).messages(), "");
}

TEST(Heat, DataThatAreNoNumbersAreLeftOut) {
    StabilityCase heat = block(example("heat3d.kas"), 0.97, 1.3e-7F);
    heat.fill("T", NAN).fill("q", INFINITY);
    EXPECT_EQ(heat.messages(), exceeds("dt", "0.97", "0.961"));
    heat.data("beta")[0] = NAN;
    EXPECT_EQ(heat.messages(), exceeds("dt", "0.97", "0.961"));
    EXPECT_EQ(heat.fill("beta", NAN).messages(), "");
}

TEST(Heat, ALargeBlockTakesMilliseconds) {
    StabilityCase heat = block(example("bioheat.kas"), 3, 1.3e-7F, 96);
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(heat.check().size(), 1U);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    EXPECT_LT(passed.count(), 0.5);  // 5 ms; a loaded machine or a sanitizer takes longer
}

TEST(Heat, WholeWarning) {
    StabilityCase heat(R"(param float dt = 2;     // s
float T[x, y] boundary keep(1);
float L[x, y], beta[x, y];
input T, beta;
for (n = 0; n < 10; n++) {
    L = T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T;
    T = T + dt * (beta * L);
}
return T;
)");
    heat.extents(20).fill("beta", 0.1F).data("beta")[12 + 20 * 7] = 0.32F;  // 1 - 8 * 2 * 0.32 = -4.12; 0.25 / 0.32
    EXPECT_EQ(render_text(heat.check()),
              R"(warning[K0740]: the step dt = 2 is likely unstable: the largest stable is 0.781
  --> case.kas:1:13
   |
 1 | param float dt = 2;     // s
   |             ^^ declared here
   = note: T is multiplied by up to 4.12 each step at cell (12, 7)
  ::: case.kas:7:5
   |
 7 |     T = T + dt * (beta * L);
   |     ^^^^^^^^^^^^^^^^^^^^^^^^
   = help: pass --set dt=0.78
)");
}

}  // namespace
}  // namespace kasc
