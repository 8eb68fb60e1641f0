// Several processes, each of which reads its rows of the input and writes its rows of the results: the file of one,
// what is wrong with any of them said once, and less memory in each the more there are.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/hdf5/file.hpp"
#include "support/launched.hpp"
#include "support/remember_builds.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

using test::launched;
using test::launcher;

class FilePartsTest : public testing::Test {
protected:
    static void SetUpTestSuite() { test::build_with("-O0"); }  // building takes longer than what is run here
    static void TearDownTestSuite() { test::build_as_ever(); }
    void SetUp() override {
        if (!test::can_launch()) GTEST_SKIP() << "kasc was built without MPI";
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        test::write_file(folder_.path() / name, text);
        return file(name);
    }
    [[nodiscard]] std::string bytes(const std::string& name) const { return test::read_file(file(name)); }
    [[nodiscard]] static std::size_t times(const std::string& what, const std::string& text) {
        std::size_t count = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
        return count;
    }
    /// "in.h5" with T and kappa of 24 planes.
    void write_input(float odd = 1) const {
        std::vector<float> T(24 * 30 * 40), kappa(T.size());
        for (std::size_t i = 0; i < T.size(); ++i) {
            T[i] = std::sin(0.01F * static_cast<float>(i));
            kappa[i] = 0.1F + 0.001F * static_cast<float>(i % 97);
        }
        kappa[17 * 30 * 40 + 5] = odd;
        ASSERT_TRUE(
            runtime::write_hdf5(file("in.h5"), {{"T", {24, 30, 40}, T}, {"kappa", {24, 30, 40}, kappa}}, {}).empty());
    }
    [[nodiscard]] std::string heat(const std::string& requirement = "") const {
        return heat_without_input(requirement) + " --in " + file("in.h5");
    }
    [[nodiscard]] std::string heat_without_input(const std::string& requirement = "") const {
        return "run " +
               write("heat.kas",
                     "param int steps = 20;\n"
                     "float T[x, y, z] boundary mirror, kappa[x, y, z];\n"
                     "input T, kappa;\n" +
                         requirement +
                         "for (n = 0; n < steps; n++) { T = T + 0.05 * kappa * laplace2(T, 1); }\n"
                         "return T;\n") +
               " --target cpu --share always";
    }

    const test::Temporary folder_;
};

TEST_F(FilePartsTest, ArraysOfAllKinds) {
    std::vector<float> u(13 * 10 * 24 * 3), c(13 * 10 * 24 * 2), h(13 * 10 * 24);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.01F * static_cast<float>(i % 700);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::cos(0.1F * static_cast<float>(i));
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = 0.5F * static_cast<float>(i % 80);
    std::vector<std::int32_t> label(h.size()), at(40);
    for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<std::int32_t>(i % 4);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int32_t>(77 * i);
    std::vector<double> w(24, 0.1);
    const auto of_type = [](runtime::WordType type, const auto& values) {
        return runtime::Words(type, values.data(), values.size());
    };
    ASSERT_TRUE(runtime::write_hdf5(file("given.h5"),
                                    {{"u", {13, 10, 24, 3}, u},
                                     {"c", {13, 10, 24, 2}, c},
                                     {"h", {13, 10, 24}, h},
                                     {"label", {13, 10, 24}, of_type(runtime::WordType::int32, label)},
                                     {"at", {40}, of_type(runtime::WordType::int32, at)},
                                     {"w", {24}, of_type(runtime::WordType::float64, w)}},
                                    {})
                    .empty());
    // Words of cells, complex and short numbers, labels in parts; a table, a list and what it names whole.
    const std::string call =
        "run " +
        write("all.kas",
              "vector3 u[x, y, z] boundary mirror, v[x, y, z]; complex c[x, y, z]; int label[x, y, z], at[k];\n"
              "double w[x], most[]; half h[x, y, z]; float a[x, y, z] boundary periodic, heard[k];\n"
              "input u, c, label, at, w, h;\n"
              "require(label >= 0 && label < 4); require(at >= 0 && at < 3120);\n"
              "a = h + label;\n"
              "for (n = 0; n < 3; n++) {\n"
              "    a = 0.5 * a + 0.25 * (a[z - 1] + a[z + 1]) + real(c) * w;\n"
              "    v = u + u[z + 1];\n"
              "    u = 0.5 * v;\n"
              "    c = c * complex(0, 1);\n"
              "}\n"
              "heard = a[x = at % 24, y = at / 24 % 10, z = at / 240];\n"
              "most = maximum(a);\n"
              "return u, v, c, a, heard, most;\n") +
        " --target cpu --share always --in " + file("given.h5") + " --out ";
    const auto alone = test::shell(KASC_COMMAND " " + call + file("alone.h5") + " --picture a=" + file("alone.png"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    for (const int processes : {3}) {
        const auto run =
            test::shell(launched(processes, call + file("shared.h5") + " --picture a=" + file("shared.png")));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_TRUE(bytes("alone.h5") == bytes("shared.h5")) << processes << run.output;
        EXPECT_TRUE(bytes("alone.png") == bytes("shared.png")) << processes;
    }
}

TEST_F(FilePartsTest, CheckpointsAreThoseOfOne) {
    write_input();
    const std::string call = heat() + " --checkpoint ";
    const auto alone = test::shell(KASC_COMMAND " " + call + file("c1.h5") + " --every 12 --out " + file("alone.h5"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    const auto run = test::shell(launched(3, call + file("c3.h5") + " --every 12 --out " + file("shared.h5")));
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_TRUE(bytes("c1.h5") == bytes("c3.h5"));
    const auto next = test::shell(launched(2, heat() + " --restart " + file("c3.h5") + " --out " + file("next.h5")));
    ASSERT_EQ(next.status, 0) << next.output;
    EXPECT_NE(next.output.find("goes on at step 12"), std::string::npos) << next.output;
    EXPECT_TRUE(bytes("alone.h5") == bytes("next.h5"));
    // A plane of the last process is damaged, and all of them end.
    std::string damaged = bytes("c3.h5");
    damaged[damaged.size() - 100] = static_cast<char>(damaged[damaged.size() - 100] ^ 1);
    test::write_file(folder_.path() / "c3.h5", damaged);
    const auto bad = test::shell(launched(2, heat() + " --restart " + file("c3.h5") + " --out " + file("bad.h5")));
    EXPECT_EQ(bad.status, 1) << bad.output;
    EXPECT_EQ(times("error[", bad.output), 1U) << bad.output;
    EXPECT_NE(bad.output.find("error[K0840]"), std::string::npos) << bad.output;
    EXPECT_NE(bad.output.find("its array 'T.1' is damaged"), std::string::npos) << bad.output;
    EXPECT_FALSE(std::filesystem::exists(file("bad.h5")));
}

TEST_F(FilePartsTest, WhatIsWrongWithTheRowsOfAnyIsSaidOnce) {
    write_input(-2);
    const auto required = test::shell(launched(3, heat("require(kappa > 0);\n") + " --out " + file("o.h5")));
    EXPECT_EQ(required.status, 1) << required.output;
    EXPECT_EQ(times("error[", required.output), 1U) << required.output;
    EXPECT_NE(required.output.find("error[K0741]: the requirement 'kappa > 0' is not met at 1 of 9600 cells of z = 16 "
                                   "to 23; the first is x = 5, y = 0, z = 17"),
              std::string::npos)
        << required.output;
    EXPECT_NE(required.output.find("so says rank 2 of 3"), std::string::npos) << required.output;
    EXPECT_FALSE(std::filesystem::exists(file("o.h5")));

    write_input(INFINITY);
    const auto infinite = test::shell(launched(3, heat() + " --out " + file("o.h5")));
    EXPECT_EQ(infinite.status, 1) << infinite.output;
    EXPECT_EQ(times("error[", infinite.output), 1U) << infinite.output;
    EXPECT_NE(infinite.output.find("error[K0712]: 1 of 9600 values of 'kappa' are not finite, the first at [17, 0, 5]"),
              std::string::npos)
        << infinite.output;

    write_input(1e38F);
    const auto grown = test::shell(launched(3, heat() + " --out " + file("o.h5")));
    EXPECT_EQ(grown.status, 0) << grown.output;
    EXPECT_EQ(times("warning[K0748]", grown.output), 1U) << grown.output;
    const auto alone = test::shell(KASC_COMMAND " " + heat() + " --out " + file("o.h5"));
    const auto line = [](const std::string& text) {
        const std::size_t at = std::min(text.size(), text.find("results are not finite"));
        return text.substr(at, text.find('\n', at) - at);
    };
    EXPECT_EQ(line(grown.output), line(alone.output));
}

/// The cell that allows least lies with the last process, and is the only such.
TEST_F(FilePartsTest, TheStepIsThatOfTheRowsThatAllowLeast) {
    const std::string call = "run " +
                             write("step.kas",
                                   "param float dt = 1;\n"
                                   "float T[x, y, z] boundary mirror, kappa[x, y, z];\n"
                                   "input T, kappa;\n"
                                   "for (n = 0; n < 3; n++) { T = T + dt * kappa * laplace2(T, 1); }\n"
                                   "return T;\n") +
                             " --target cpu --share always --in " + file("in.h5") + " --out " + file("o.h5");
    const auto about_step = [](const std::string& text) {
        std::string lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);)
            if (line.find("stable") != std::string::npos) lines += line + "\n";
        return lines;
    };
    for (const float kappa : {0.15F, 4.0F}) {
        write_input(kappa);
        const auto alone = test::shell(KASC_COMMAND " " + call);
        const auto run = test::shell(launched(3, call));
        EXPECT_NE(about_step(alone.output), "") << alone.output;
        EXPECT_EQ(about_step(run.output), about_step(alone.output)) << run.output;
    }
}

TEST_F(FilePartsTest, WhatIsMissingIsSaidOnce) {
    ASSERT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {24, 30, 40}, std::vector<float>(28800)}}, {}).empty());
    const auto run = test::shell(launched(3, heat() + " --out " + file("o.h5")));
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_EQ(times("error[", run.output), 1U) << run.output;
    EXPECT_NE(run.output.find("kappa"), std::string::npos) << run.output;
}

TEST_F(FilePartsTest, WhatIsNotThereForOneEndsAll) {
    write_input();
    const auto without = [&](const std::string& call) {
        return "sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then exec " KASC_COMMAND " " + call + file("not.h5") +
               "; fi; exec " KASC_COMMAND " " + call + file("in.h5") + "'";
    };
    const std::string run_call = heat_without_input() + " --out " + file("o.h5") + " --in ";
    const auto run = test::shell(launcher(2) + without(run_call));
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_EQ(times("error[", run.output), 1U) << run.output;
    EXPECT_NE(run.output.find("error[K0701]: cannot open"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("so says rank 1 of 2"), std::string::npos) << run.output;
}

TEST_F(FilePartsTest, ADiskThatIsFullForOneEndsAll) {
    write_input();
    // A file of this process may be no longer: writing further fails as on a full disk.
    const std::string one =
        "sh -c 'trap \"\" XFSZ; if [ $OMPI_COMM_WORLD_RANK = 1 ]; then ulimit -f 108; fi; exec " KASC_COMMAND " " +
        heat() + " --no-cache --out " + file("o.h5") + "'";
    const auto run = test::shell(launcher(2) + one);
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_EQ(times("error[", run.output), 1U) << run.output;
    EXPECT_NE(run.output.find("error[K0721]: rank 1 of 2: "), std::string::npos) << run.output;
    EXPECT_FALSE(std::filesystem::exists(file("o.h5")));
}

/// What the first process has had at most, beside what it has with more of them: the difference is of arrays alone.
TEST_F(FilePartsTest, MoreProcessesHaveLessMemoryEach) {
    const std::size_t planes = 96, plane = 256 * 256;
    std::vector<float> T(planes * plane, 0.5F);  // 25.2 MB
    T[7] = 1;
    ASSERT_TRUE(
        runtime::write_hdf5(file("in.h5"), {{"T", {96, 256, 256}, T}, {"kappa", {96, 256, 256}, T}}, {}).empty());
    std::vector<double> rank_0;
    for (const int processes : {2, 4}) {
        const auto run = test::shell(launched(processes, heat() + " --set steps=3" + " --out " + file("o.h5")));
        ASSERT_EQ(run.status, 0) << run.output;
        const std::size_t at = run.output.find("rank 0 has had ");
        ASSERT_NE(at, std::string::npos) << run.output;
        rank_0.push_back(std::stod(run.output.substr(at + 15)));
    }
    // T, what it becomes, kappa and the result: a quarter of each.
    EXPECT_GT(rank_0[0] - rank_0[1], 0.8 * 3 * 0.25 * 25.2) << rank_0[0] << " MB, " << rank_0[1] << " MB";
}

}  // namespace
}  // namespace kasc
