// examples/kwave/kwave.kas on files that k-Wave's Python package wrote, beside what its solver computes in double
// precision (tests/kwave). Every case with KASC_ALL_KWAVE=1 in the environment, else one of each kind of physics: each
// builds a program of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "support/recorded.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

const fs::path data = fs::path(KASC_SOURCE_DIR) / "tests/kwave/data";

// Outputs by name, with the option that records them.
const std::map<std::string, std::string> recorded{{"p", "record_p"},
                                                  {"p_max", "record_p_max"},
                                                  {"p_min", "record_p_min"},
                                                  {"p_rms", "record_p_rms"},
                                                  {"p_max_all", "record_p_max_all"},
                                                  {"p_min_all", "record_p_min_all"},
                                                  {"ux", "record_u"},
                                                  {"uy", "record_u"},
                                                  {"uz", "record_u"},
                                                  {"ux_max", "record_u_max"},
                                                  {"uy_max", "record_u_max"},
                                                  {"uz_max", "record_u_max"},
                                                  {"ux_min", "record_u_min"},
                                                  {"uy_min", "record_u_min"},
                                                  {"uz_min", "record_u_min"},
                                                  {"ux_rms", "record_u_rms"},
                                                  {"uy_rms", "record_u_rms"},
                                                  {"uz_rms", "record_u_rms"},
                                                  {"ux_final", "record_u_final"},
                                                  {"uy_final", "record_u_final"},
                                                  {"uz_final", "record_u_final"},
                                                  {"p_final", "record_p_final"}};

std::vector<std::string> cases() {
    if (std::getenv("KASC_ALL_KWAVE") == nullptr)
        return {"2d_p0_power_law", "2d_p_u_dirichlet_heterogeneous", "2d_u_additive_many",
                "3d_p0_power_law_nonlinear_heterogeneous", "3d_transducer"};
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(data)) {
        const std::string name = entry.path().filename().string();
        const std::size_t end = name.find(".input.h5");
        // Sensors by corners are boxes of their own shapes, which no one program has.
        if (end != std::string::npos && name.find("corners") == std::string::npos) all.push_back(name.substr(0, end));
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Those of the recorded datasets that the file has.
test::Recorded read(const std::string& path) {
    std::vector<std::string> names;
    for (const auto& entry : recorded) names.push_back(entry.first);
    return test::read_recorded(path, names);
}

class KWave : public testing::TestWithParam<std::string> {};

TEST_P(KWave, EqualsTheReference) {
    const test::Recorded wanted = read((data / (GetParam() + ".reference.h5")).string());
    ASSERT_FALSE(wanted.empty());
    const test::Temporary here;
    const std::string out = (here.path() / "out.h5").string();
    std::map<std::string, int> options;
    for (const auto& [name, option] : recorded) options[option] |= wanted.contains(name) ? 1 : 0;
    std::string call = std::string(KASC_COMMAND) +
                       " run " KASC_SOURCE_DIR "/examples/kwave/kwave.kas --target cpu --in " +
                       (data / (GetParam() + ".input.h5")).string() + " --out " + out;
    for (const auto& [option, on] : options) call += " --set " + option + "=" + std::to_string(on);
    const auto run = test::shell(call);
    ASSERT_EQ(run.status, 0) << run.output;
    const test::Recorded found = read(out);
    // Single precision beside double: k-Wave's own bound for its CUDA code (manual of k-Wave, 4.2).
    constexpr double bound = 2e-5;
    for (const auto& [name, values] : wanted) {
        ASSERT_TRUE(found.contains(name)) << name;
        ASSERT_EQ(found.at(name).size(), values.size()) << name;
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            largest = std::max(largest, std::abs(values[i]));
            difference = std::max(difference, std::abs(values[i] - found.at(name)[i]));
        }
        EXPECT_GT(largest, 0) << name;
        EXPECT_LT(difference, bound * largest) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Case, KWave, testing::ValuesIn(cases()), [](const auto& test) { return test.param; });

}  // namespace
}  // namespace kasc
