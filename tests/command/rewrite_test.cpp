// Transforms of a step of examples/kwave/kwave.kas, by its physics and by what is left as it is written.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const std::string one_density = " --set rho0=1000 --set rho0_sgx=1000 --set rho0_sgy=1000 --set rho0_sgz=1000",
                  one_speed = " --set c0=1500", homogeneous = one_density + one_speed;
const std::string power_law = " --set absorbing_flag=1", uniform_loss = " --set alpha_coeff=0.5";

std::string call(const std::string& command, const std::string& options) {
    return KASC_COMMAND " " + command + " " KASC_SOURCE_DIR "/examples/kwave/kwave.kas --set Nz=64" + options;
}

/// In the time loop.
int transforms(const std::string& options) {
    // No kernel is searched for: the graph is there before.
    const auto run = test::shell(call("compile", " --emit graph --strategy none" + options));
    EXPECT_EQ(run.status, 0) << run.output;
    int count = 0;
    for (std::size_t at = run.output.find("loop n"); at != std::string::npos; ++count)
        at = run.output.find(" transform of ", at + 1);
    return count - 1;
}

TEST(TransformsOfAStep, AsFewAsThePhysicsNeeds) {
    EXPECT_EQ(transforms(homogeneous), 10) << "lossless";
    EXPECT_EQ(transforms(homogeneous + " --set absorbing_flag=2" + uniform_loss), 10) << "Stokes";
    EXPECT_EQ(transforms(homogeneous + power_law + uniform_loss), 12);
    EXPECT_EQ(transforms(homogeneous + power_law + uniform_loss + " --set nonlinear_flag=1 --set BonA=6"), 12);
    EXPECT_EQ(transforms(homogeneous + power_law), 12) << "absorption differs from cell to cell";
    EXPECT_EQ(transforms(power_law + one_speed), 13) << "density differs, the speed of sound does not";
    EXPECT_EQ(transforms(power_law + one_density), 13) << "the speed of sound differs, density does not";
    EXPECT_EQ(transforms(power_law), 14) << "heterogeneous";
}

TEST(TransformsOfAStep, RulesAreSwitchedOffByName) {
    const std::string options = homogeneous + power_law + uniform_loss;
    EXPECT_EQ(transforms(options + " --no-rewrite"), 14);
    EXPECT_EQ(transforms(options + " --no-rewrite=linear"), 13);
    EXPECT_EQ(transforms(options + " --no-rewrite=inverse"), 13);
    EXPECT_EQ(transforms(options + " --no-rewrite=inverse --no-rewrite=linear"), 14);
    EXPECT_EQ(transforms(options + " --no-rewrite=uniform"), 12) << "rho0 and c0 are numbers, tau is a field";
    const auto unknown = test::shell(call("compile", " --emit graph --no-rewrite=fusion"));
    EXPECT_EQ(unknown.status, 2) << unknown.output;
}

TEST(TransformsOfAStep, ExplainedAsJson) {
    const auto run = test::shell(call("explain", " --format json" + one_density + power_law));
    ASSERT_EQ(run.status, 0) << run.output;
    const auto json = nlohmann::json::parse(run.output);
    bool inverse = false, linear = false;
    for (const auto& r : json["rewrites"]) {
        inverse = inverse || (r["rule"] == "inverse" && r["applied"] == true);
        linear = linear || (r["rule"] == "linear" && r["applied"] == false &&
                            r["reason"] == "its factor 'c0' differs from cell to cell");
    }
    EXPECT_TRUE(inverse) << json["rewrites"];
    EXPECT_TRUE(linear) << json["rewrites"];
}

/// Kernels that transform lines round otherwise than the library that the reference calls, in each word of these
/// results.
TEST(TransformsOfLines, AreCheckedAsTheyRound) {
    const test::Temporary folder;
    const auto waves = folder.path() / "waves.kas";
    test::write_file(waves.string(),
                     "axis kx = half(x); axis x = 64; axis y = 128; double T[x, y]; param int steps = 3;\n"
                     "T = x*0.01 + sin(y*0.2);\n"
                     "for (n = 0; n < steps; n++) { T = ifft(exp(-0.1*(kx + y))*fft(T*T)); }\n"
                     "return T;\n");
    const auto run = test::shell(KASC_COMMAND " run " + waves.string() + " --target cpu --device h100 --check --out " +
                                 (folder.path() / "waves.h5").string());
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("fft(T_spectrum_fft_pass, y)"), std::string::npos)
        << "lines are transformed: " << run.output;
    EXPECT_NE(run.output.find(" of the largest value"), std::string::npos) << run.output;
}

TEST(TransformsOfLines, AreAllThatNearlyEqualNumbersLeave) {
    const test::Temporary folder;
    const std::string left = (folder.path() / "left.kas").string();
    test::write_file(left,
                     "axis x = 15; float u[x], left[x];\n"
                     "u = sin(3*x) + 1/(x + 1.0);\n"
                     "left = idst1(dst1(u)*(x + 1)/(x + 1)) - u;\n"
                     "return left;\n");
    const auto run = test::shell(KASC_COMMAND " run " + left + " --target cpu --device h100 --check --out " +
                                 (folder.path() / "left.h5").string());
    EXPECT_EQ(run.status, 3) << run.output;
    EXPECT_NE(run.output.find("error[K0813]: left differs from the reference"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("of what nearly equal numbers leave"), std::string::npos) << run.output;
}

std::string heat(const std::string& command, const std::string& options) {
    return KASC_COMMAND " " + command + " " KASC_SOURCE_DIR "/examples/periodic_heat.kas" + options;
}

TEST(ManyStepsAtOnce, AreAskedFor) {
    const auto steps = test::shell(heat("explain", ""));
    EXPECT_EQ(steps.output.find("modes"), std::string::npos) << steps.output;
    const auto modes = test::shell(heat("explain", " --rewrite=modes"));
    EXPECT_NE(modes.output.find(
                  "modes applied: what a step does to each wave of T, as many times as there are steps; done, "),
              std::string::npos)
        << modes.output;
    const auto forbidden = test::shell(heat("explain", " --rewrite=modes --no-rewrite=modes"));
    EXPECT_EQ(forbidden.output.find("modes"), std::string::npos) << forbidden.output;
    const auto few = test::shell(heat("explain", " --rewrite=modes --set steps=2"));
    EXPECT_NE(few.output.find("modes left: "), std::string::npos) << few.output;
    EXPECT_NE(few.output.find("slower than steps by the model"), std::string::npos) << few.output;
    const auto unknown = test::shell(heat("explain", " --rewrite=passes"));
    EXPECT_EQ(unknown.status, 2) << unknown.output;
}

TEST(ManyStepsAtOnce, AreAllowedByTheProgram) {
    const test::Temporary folder;
    std::string text = test::read_file(KASC_SOURCE_DIR "/examples/periodic_heat.kas");
    text.insert(text.find("T = (x / 64"), "allow(modes);\n");
    const std::string file = (folder.path() / "heat.kas").string();
    test::write_file(file, text);
    const auto explained = [&](const std::string& options) {
        return test::shell(KASC_COMMAND " explain " + file + options).output;
    };
    EXPECT_NE(explained("").find("modes applied: "), std::string::npos) << explained("");
    EXPECT_EQ(explained(" --no-rewrite=modes").find("modes"), std::string::npos) << explained(" --no-rewrite=modes");
}

TEST(ManyStepsAtOnce, NothingElseIsAllowed) {
    const test::Temporary folder;
    const std::string file = (folder.path() / "other.kas").string();
    test::write_file(file, "float T[x] boundary periodic; input T; allow(mods, order); T = T[1]; return T;");
    const auto run = test::shell(KASC_COMMAND " compile --emit graph " + file);
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_NE(run.output.find("error[K0926]: there is nothing to allow that is called 'mods'"), std::string::npos);
    EXPECT_NE(run.output.find("did you mean 'modes'?"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("a program may allow modes"), std::string::npos) << run.output;
}

TEST(ManyStepsAtOnce, SayWhyNot) {
    const auto other = test::shell(KASC_COMMAND " explain " KASC_SOURCE_DIR "/examples/heat2d.kas --rewrite=modes");
    EXPECT_NE(other.output.find("modes left: T keeps layers at its faces"), std::string::npos) << other.output;
}

TEST(ManyStepsAtOnce, AreCheckedAgainstTheSteps) {
    const test::Temporary folder;
    const std::string out = " --target cpu --rewrite=modes --check --out " + (folder.path() / "heat.h5").string();
    const auto run = test::shell(heat("run", " --set cells=96 --set steps=500" + out));
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("fft"), std::string::npos) << "the waves were taken: " << run.output;
}

}  // namespace
}  // namespace kasc
