// examples/kwave/kwave.kas on files that k-Wave's Python package wrote, beside what its solver computes in double
// precision (tests/kwave): by kasc run, and by kasc kwave with k-Wave's own flags, whose output has k-Wave's shapes.
// Every case with KASC_ALL_KWAVE=1 in the environment, else one of each kind of physics: each builds a program of its
// own.
#include "command/kwave_case.hpp"

#include <cstdlib>
#include <set>

#include "support/remember_builds.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
using test::RecordedArrays;

bool all_cases() { return std::getenv("KASC_ALL_KWAVE") != nullptr; }

std::vector<std::string> cases() {
    if (!all_cases())
        return {"2d_p0_power_law",    "2d_p_u_dirichlet_heterogeneous",
                "2d_u_additive_many", "3d_p0_power_law_nonlinear_heterogeneous",
                "3d_transducer",      "as_p0_stokes_nonlinear_heterogeneous",
                "as_u_additive_many"};
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(test::kwave_data)) {
        const std::string name = entry.path().filename().string();
        const std::size_t end = name.find(".input.h5");
        // Sensors by corners are boxes of their own shapes, which no one program has: kasc kwave alone takes them.
        if (end != std::string::npos && name.find("corners") == std::string::npos) all.push_back(name.substr(0, end));
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::string> command_cases() {
    std::vector<std::string> all = all_cases() ? cases() : std::vector<std::string>{"2d_p0_odd_size"};
    all.insert(all.begin(), {"2d_corners", "3d_corners", "as_corners"});
    return all;
}

/// Building these at -O3 takes ten times as long as their 60 steps.
class Built : public testing::TestWithParam<std::string> {
protected:
    static void SetUpTestSuite() { test::build_with("-O1"); }
    static void TearDownTestSuite() { test::build_as_ever(); }
};
class KWave : public Built {};

TEST_P(KWave, EqualsTheReference) {
    const RecordedArrays wanted = test::read_arrays(test::kwave_reference(GetParam()), test::kwave_names());
    ASSERT_FALSE(wanted.empty());
    const test::Temporary here;
    const std::string out = (here.path() / "out.h5").string();
    std::map<std::string, int> options;
    for (const auto& [name, option] : test::kwave_recorded()) options[option] |= wanted.contains(name) ? 1 : 0;
    std::string call = std::string(KASC_COMMAND) +
                       " run " KASC_SOURCE_DIR "/examples/kwave/kwave.kas --target cpu --in " +
                       test::kwave_input(GetParam()) + " --out " + out;
    for (const auto& [option, on] : options) call += " --set record_" + option + "=" + std::to_string(on);
    const auto run = test::shell(call);
    ASSERT_EQ(run.status, 0) << run.output;
    const RecordedArrays found = test::read_arrays(out, test::kwave_names());
    for (const auto& [name, array] : wanted) {
        ASSERT_TRUE(found.contains(name)) << name;
        test::expect_near(found.at(name), array, name);
    }
}

INSTANTIATE_TEST_SUITE_P(Case, KWave, testing::ValuesIn(cases()), [](const auto& test) { return test.param; });

class KWaveCommand : public Built {};

TEST_P(KWaveCommand, WritesWhatKWaveWouldWrite) {
    const RecordedArrays wanted = test::read_arrays(test::kwave_reference(GetParam()), test::kwave_names());
    ASSERT_FALSE(wanted.empty());
    const test::Temporary here;
    const std::string out = (here.path() / "out.h5").string();
    std::string call = KASC_COMMAND " kwave --target cpu -i " + test::kwave_input(GetParam()) + " -o " + out;
    std::set<std::string> flags;
    for (const auto& entry : wanted) {
        const std::string option = test::option_of(entry.first);
        flags.insert(option == "p" || option == "u" || option == "u_non_staggered" ? option + "_raw" : option);
    }
    for (const std::string& flag : flags) call += " --" + flag;
    const auto run = test::shell(call);
    ASSERT_EQ(run.status, 0) << run.output;
    const RecordedArrays found = test::read_arrays(out, test::kwave_names());
    for (const auto& [name, array] : wanted) {
        ASSERT_TRUE(found.contains(name)) << name;
        EXPECT_EQ(found.at(name).shape, array.shape) << name;
        test::expect_near(found.at(name), array, name);
    }
    const auto asked = [&](const std::string& name) {
        const std::string option = test::option_of(name);
        return flags.contains(option) || flags.contains(option + "_raw");
    };
    for (const auto& entry : found) EXPECT_TRUE(asked(entry.first)) << entry.first;
}

INSTANTIATE_TEST_SUITE_P(Case, KWaveCommand, testing::ValuesIn(command_cases()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace kasc
