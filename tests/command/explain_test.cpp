// What kasc explain says of the time step: from data, from parameters alone, or what it would have to know; and of
// transforms that are several.
#include <gtest/gtest.h>

#include "command/kwave_case.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

class ExplainedStep : public testing::Test {
protected:
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    /// The line about the step; empty: there is none.
    [[nodiscard]] static std::string step(const std::string& call) {
        const auto run = test::shell(KASC_COMMAND " explain " + call);
        EXPECT_EQ(run.status, 0) << run.output;
        const std::size_t at = run.output.find("the largest stable");
        if (at == std::string::npos) return "";
        const std::size_t begin = run.output.rfind('\n', at) + 1;
        return run.output.substr(begin, run.output.find('\n', begin) - begin);
    }
    static std::string example(const std::string& name) { return KASC_SOURCE_DIR "/examples/" + name; }

    test::Temporary here_;
};

TEST_F(ExplainedStep, FromParametersAlone) {
    EXPECT_EQ(step(example("heat2d.kas")), "alpha = 0.2 is stable; the largest stable alpha is 0.25");
    EXPECT_EQ(step(example("heat2d.kas") + " --set alpha=0.3"),
              "alpha = 0.3 is likely unstable; the largest stable alpha is 0.25");
    test::write_file(file("p.kas"),
                     "float T[x] boundary mirror; param float dt; param float dx; param int steps; input T;\n"
                     "for (n = 0; n < steps; n++) { T = T + dt*laplace2(T, dx); } return T;\n");
    EXPECT_EQ(step(file("p.kas")), "the largest stable dt depends on dx: pass --set dx=...");
    EXPECT_EQ(step(file("p.kas") + " --set dx=0.1"), "the largest stable dt is 0.005");
}

TEST_F(ExplainedStep, FromData) {
    EXPECT_EQ(step(example("hifu.kas")), "the largest stable dt depends on tissue, beta, w: pass --in FILE.h5");
    ASSERT_EQ(test::shell(MAKE_TISSUE " --treatment --size 32 -o " + file("in.h5")).status, 0);
    const std::string in = " --in " + file("in.h5");
    EXPECT_EQ(step(example("hifu.kas") + in), "dt = 0.1 is stable; the largest stable dt is 0.845");
    EXPECT_EQ(step(example("hifu.kas") + in + " --set dt=1"),
              "dt = 1 is likely unstable; the largest stable dt is 0.845");
    const auto json = test::shell(KASC_COMMAND " explain " + example("hifu.kas") + " --format json");
    EXPECT_NE(json.output.find(R"("needed_inputs": [)"), std::string::npos) << json.output.substr(0, 400);
    const auto nothing = test::shell(KASC_COMMAND " explain " + example("hifu.kas") + " --in " + file("nothing.h5"));
    EXPECT_EQ(nothing.status, 1);
    EXPECT_NE(nothing.output.find("error[K0701]"), std::string::npos) << nothing.output;
}

TEST_F(ExplainedStep, OptionsAndSizesAreThoseOfTheFile) {
    const auto run = test::shell(KASC_COMMAND " explain " + example("kwave/kwave.kas") + " --in " +
                                 test::kwave_input("2d_p0_power_law_nonlinear_heterogeneous"));
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("x = 64, y = 48, z = 1, kx = 33, s = 22, t = 60"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("nabla1 * fft("), std::string::npos) << run.output;
}

TEST_F(ExplainedStep, OfNoSchemeThereIsNone) {
    EXPECT_EQ(step(example("vortices.kas")), "");
    EXPECT_EQ(step(example("strain_energy.kas")), "");
}

TEST(ExplainedTransforms, PassesSayTheirAxes) {
    const test::Temporary here;
    const std::string path = (here.path() / "p.kas").string();
    test::write_file(path,
                     "axis kx = half(x); float p[x, y, z], q[x, y, z]; input p;\n"
                     "q = ifft(fft(p, x, z) / (1 + kx), x, z); return q;\n");
    const std::string said = test::shell(KASC_COMMAND " explain " + path).output;
    for (const char* pass : {"_fft_2 = fft(p, x, z) along x\n", "_fft = fft(p, x, z) along z\n"})
        EXPECT_NE(said.find(pass), std::string::npos) << pass << said;
}

}  // namespace
}  // namespace kasc
