// kasc kwave by several processes: the same file as of one, with layers, sources and sensors wherever they lie; runs in
// legs. All cases in three dimensions and all of their steps with KASC_ALL_KWAVE=1 in the environment.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "command/kwave_case.hpp"
#include "support/launched.hpp"
#include "support/of_the_day.hpp"
#include "support/remember_builds.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

bool all_cases() { return std::getenv("KASC_ALL_KWAVE") != nullptr; }

std::vector<std::string> cases() {
    if (!all_cases()) return {"3d_p0_power_law_nonlinear_heterogeneous", "3d_u_additive_one"};
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(test::kwave_data)) {
        const std::string name = entry.path().filename().string();
        const std::size_t end = name.find(".input.h5");
        if (end != std::string::npos && name.starts_with("3d_")) all.push_back(name.substr(0, end));
    }
    std::sort(all.begin(), all.end());
    return all;
}

class KWaveProcesses : public testing::Test {
protected:
    static void SetUpTestSuite() {
        test::build_with("-O0");  // building takes longer than 60 steps of a small grid
        setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    }
    static void TearDownTestSuite() {
        unsetenv("SOURCE_DATE_EPOCH");
        test::build_as_ever();
    }
    void SetUp() override {
        if (!test::can_launch()) GTEST_SKIP() << "kasc was built without MPI";
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    [[nodiscard]] std::string bytes(const std::string& name) const {
        std::ostringstream all;
        all << std::ifstream(file(name), std::ios::binary).rdbuf();
        return all.str();
    }
    [[nodiscard]] std::string whole_call(const std::string& name, const std::string& out) const {
        return "kwave --target cpu --verbose 1 -i " + test::kwave_input(name) + " -o " + file(out) +
               " --p_raw --u_max --p_min_all --u_final";
    }
    [[nodiscard]] std::string call(const std::string& name, const std::string& out) const {
        return whole_call(name, out) + (all_cases() ? "" : " --benchmark 12");
    }

private:
    const test::Temporary folder_;
};

class KWaveProcessesCase : public KWaveProcesses, public testing::WithParamInterface<std::string> {};

TEST_P(KWaveProcessesCase, WriteTheFileOfOne) {
    const auto alone = test::shell(KASC_COMMAND " " + call(GetParam(), "alone.h5"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    for (const int processes : test::of_the_day(std::vector<int>{8, 2}, 2)) {
        const auto run = test::shell(test::launched(processes, call(GetParam(), "shared.h5") + " --share always"));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_NE(run.output.find("shared: lines along the outermost axis"), std::string::npos) << run.output;
        EXPECT_TRUE(bytes("alone.h5") == bytes("shared.h5")) << processes;
    }
}

INSTANTIATE_TEST_SUITE_P(Case, KWaveProcessesCase, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param; });

/// In blocks: what the overlap loses, which is more of the waves that sources of single points make, as short as any.
/// All steps, so that what sensors record are waves.
TEST_P(KWaveProcessesCase, InBlocksAreNearThatOfOne) {
    const auto alone = test::shell(KASC_COMMAND " " + whole_call(GetParam(), "alone.h5"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    const bool smooth_waves = GetParam().starts_with("3d_p0");
    for (const std::string& blocks : test::of_the_day(std::vector<std::string>{"2x2x2", "1x1x2"}, 2)) {
        const int processes = blocks == "2x2x2" ? 8 : 2;
        const auto run = test::shell(
            test::launched(processes, whole_call(GetParam(), "blocks.h5") + " --basis local:4 --blocks " + blocks));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_NE(run.output.find("in " + blocks + " blocks of x, y, z: "), std::string::npos) << run.output;
        const auto wanted = test::read_recorded(file("alone.h5"), test::kwave_names());
        const auto found = test::read_recorded(file("blocks.h5"), test::kwave_names());
        EXPECT_EQ(wanted.size(), found.size());
        for (const auto& [name, values] : wanted) {
            SCOPED_TRACE(blocks + " " + name);
            test::expect_near({{}, found.at(name)}, {{}, values}, name, smooth_waves ? 0.015 : 0.1);
        }
    }
}

TEST_F(KWaveProcesses, AnotherNumberGoesOnFromACheckpoint) {
    const std::string name = "3d_u_additive_one";
    const auto alone = test::shell(KASC_COMMAND " " + call(name, "alone.h5"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    // Compressed, from what all have written.
    const auto packed = test::shell(KASC_COMMAND " " + call(name, "packed.h5") + " -c 4");
    ASSERT_EQ(packed.status, 0) << packed.output;
    const auto together = test::shell(test::launched(2, call(name, "together.h5") + " -c 4 --share always"));
    ASSERT_EQ(together.status, 0) << together.output;
    EXPECT_TRUE(bytes("packed.h5") == bytes("together.h5"));
    const std::string leg = call(name, "legs.h5") + " --checkpoint_file " + file("c.h5") + " --checkpoint_timesteps " +
                            (all_cases() ? "25" : "5");
    for (const int processes : {3, 2, 1}) {
        const std::string shared = test::launched(processes, leg + " --share always");
        const auto run = test::shell(processes > 1 ? shared : KASC_COMMAND " " + leg);
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_EQ(fs::exists(file("c.h5")), processes > 1) << processes;
    }
    EXPECT_TRUE(bytes("alone.h5") == bytes("legs.h5"));
}

TEST_F(KWaveProcesses, WhatIsNotThereForOneEndsAll) {
    const std::string all = call("3d_u_additive_one", "out.h5");
    const std::string one = "sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then exec " KASC_COMMAND " " + all + " -i " +
                            file("not.h5") + "; fi; exec " KASC_COMMAND " " + all + "'";
    const auto run = test::shell(test::launcher(2) + one);
    EXPECT_NE(run.status, 0) << run.output;
    EXPECT_NE(run.status, 124) << "one is waited for";
    EXPECT_NE(run.output.find("error[K0817]: rank 1 of 2: cannot open"), std::string::npos) << run.output;
}

TEST_F(KWaveProcesses, WhatIsWrongIsSaidOnce) {
    const auto run = test::shell(test::launched(3, call("3d_u_additive_one", "out.h5") + " -s 1000"));
    EXPECT_EQ(run.status, 2) << run.output;
    const auto first = run.output.find("error[K0910]");
    ASSERT_NE(first, std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("error[", first + 1), std::string::npos) << run.output;
}

}  // namespace
}  // namespace kasc
