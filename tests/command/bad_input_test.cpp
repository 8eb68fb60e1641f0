// Data, disks and folders at fault: each is told with its code, exit status 1, and nothing is left behind.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmath>

#include <linux/capability.h>

#include "runtime/hdf5/file.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

/// Materials by label, sources in a list, a series.
const char* const program =
    "param float dt = 0.1; param int steps = 4;\n"
    "float T[x, y] boundary keep(1), beta[m], energy[p], q[x, y, t];\n"
    "uint8 tissue[x, y];\n"
    "int px[p], py[p];\n"
    "input T, beta, tissue, energy, px, py, q;\n"
    "require(beta >= 0, dt > 0);\n"
    "require(q < 100);\n"
    "require(distinct(px, py));\n"
    "for (n = 0; n < steps; n++) {\n"
    "    T = T + dt*(beta[m = tissue]*laplace2(T, 1) + q[t = n]);\n"
    "    T[x = px, y = py] += energy;\n"
    "}\n"
    "return T;\n";

struct Data {
    static constexpr std::uint64_t nx = 6, ny = 5, nm = 3, np = 2, nt = 4;
    std::vector<float> T = std::vector<float>(nx * ny, 37), beta{0.5F, 1, 2}, energy{1, 2},
                       q = std::vector<float>(nx * ny * nt, 0);
    std::vector<std::uint8_t> tissue = std::vector<std::uint8_t>(nx * ny, 1);
    std::vector<std::int32_t> px{1, 3}, py{2, 2};
};

class BadInput : public testing::Test {
protected:
    BadInput() { test::write_file(file("tissue.kas"), program); }

    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    void write(const Data& d) const {
        using runtime::Words;
        using runtime::WordType;
        const Words tissue(WordType::uint8, d.tissue.data(), d.tissue.size());
        const Words px(WordType::int32, d.px.data(), d.px.size()), py(WordType::int32, d.py.data(), d.py.size());
        ASSERT_TRUE(runtime::write_hdf5(file("in.h5"),
                                        {{"T", {Data::ny, Data::nx}, d.T},
                                         {"beta", {d.beta.size()}, d.beta},
                                         {"tissue", {Data::ny, Data::nx}, tissue},
                                         {"energy", {d.energy.size()}, d.energy},
                                         {"px", {d.px.size()}, px},
                                         {"py", {d.py.size()}, py},
                                         {"q", {Data::nt, Data::ny, Data::nx}, d.q}},
                                        {})
                        .empty());
    }
    [[nodiscard]] std::string call(const std::string& more = "") const {
        return KASC_COMMAND " run " + file("tissue.kas") + " --target cpu --in " + file("in.h5") + " --out " +
               file("out.h5") + " " + more;
    }
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(here_.path())) names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }
    /// Exit status 1, each of the texts is said, and no file is made.
    void expect_refused(const std::vector<std::string>& texts, const std::string& more = "") const {
        const auto before = files();
        const auto run = test::shell(call(more));
        EXPECT_EQ(run.status, 1) << run.output;
        for (const std::string& text : texts) EXPECT_NE(run.output.find(text), std::string::npos) << run.output;
        EXPECT_EQ(run.output.find("ran on"), std::string::npos) << run.output;
        EXPECT_EQ(files(), before);
    }
    /// The same with a warning, and results.
    void expect_allowed(const std::string& code, const std::string& more) const {
        const auto run = test::shell(call(more));
        EXPECT_EQ(run.status, 0) << run.output;
        EXPECT_NE(run.output.find("warning[" + code + "]"), std::string::npos) << run.output;
        EXPECT_TRUE(fs::exists(file("out.h5")));
        fs::remove(file("out.h5"));
    }

    test::Temporary here_;
};

TEST_F(BadInput, GoodDataRun) {
    write({});
    const auto run = test::shell(call());
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_EQ(run.output.find("warning"), std::string::npos) << run.output;
    EXPECT_TRUE(fs::exists(file("out.h5")));
}

TEST_F(BadInput, ExtentsThatDoNotMatch) {
    Data data;
    data.energy.push_back(3);
    write(data);
    expect_refused({"error[K0709]", "axis 'p' is 2 in 'px' and 3 in 'energy'"});
}

TEST_F(BadInput, ValuesThatAreNotFinite) {
    Data data;
    data.T[7] = std::nanf("");
    write(data);
    expect_refused({"error[K0712]: 1 of 30 values of 'T' are not finite, the first at [1, 1]", "--allow not-finite"});
    expect_allowed("K0712", "--allow not-finite");
    data.T[7] = 37;
    data.energy[1] = INFINITY;
    write(data);
    expect_refused({"error[K0712]: 1 of 2 values of 'energy'"});
}

TEST_F(BadInput, RowsThatAreNotFiniteEndTheRunThatReadsThem) {
    std::string text = program;
    const std::string requirement = "require(q < 100);\n";
    test::write_file(file("tissue.kas"), text.erase(text.find(requirement), requirement.size()));
    Data data;
    data.q[3 * Data::nx * Data::ny] = std::nanf("");
    write(data);
    expect_refused({"error[K0712]: 1 of 30 values of 'q' are not finite", "--allow not-finite"}, "--memory 900");
    expect_allowed("K0712", "--memory 900 --allow not-finite");
    // The checkpoint from before is one to go on from.
    const std::string checkpoint = "--memory 900 --checkpoint " + file("ck.h5") + " --every 2";
    EXPECT_EQ(test::shell(call(checkpoint)).status, 1);
    EXPECT_TRUE(fs::exists(file("ck.h5")));
    const auto on = test::shell(call("--memory 900 --allow not-finite --restart " + file("ck.h5")));
    EXPECT_EQ(on.status, 0) << on.output;
    EXPECT_NE(on.output.find("goes on at step 2 of 4"), std::string::npos) << on.output;
}

TEST_F(BadInput, ParametersThatAreNoNumbers) {
    write({});
    for (const char* value : {"nan", "inf", "1e39"}) {
        const auto run = test::shell(call(std::string("--set dt=") + value));
        EXPECT_EQ(run.status, 2) << run.output;
        EXPECT_NE(run.output.find("error[K0901]"), std::string::npos) << run.output;
    }
}

TEST_F(BadInput, RequirementsThatAreNotMet) {
    Data data;
    data.beta[2] = -2;
    write(data);
    expect_refused({"error[K0741]: the requirement 'beta >= 0' is not met at 1 of 3 cells; the first is m = 2",
                    "tissue.kas:6:9", "there beta is -2"});
    data.beta[2] = std::nanf("");
    write(data);
    expect_refused({"error[K0741]", "there beta is nan"}, "--allow not-finite");
    write({});
    expect_refused({"error[K0741]: the requirement 'dt > 0' is not met"}, "--set dt=0");
}

TEST_F(BadInput, RequirementsOfASeriesThatPassesRowByRow) {
    Data data;
    data.q[3 * Data::nx * Data::ny + 8] = 200;
    write(data);
    expect_refused(
        {"error[K0741]: the requirement 'q < 100' is not met at 1 of 120 cells; the first is x = 2, y = 1, t = 3",
         "there q is 200"});
    expect_refused({"is not met at 1 of 30 cells of t = 3 to 3; the first is x = 2, y = 1, t = 3"}, "--memory 900");
}

TEST_F(BadInput, RequirementsOfASeriesOfDoublesThatPassesRowByRow) {
    test::write_file(file("tissue.kas"),
                     "param int steps = 4; double q[x, y, t], sum[x, y]; input q; require(q > 0.5);\n"
                     "sum = 0; for (n = 0; n < steps; n++) { sum = sum + q[t = n]; } return sum;\n");
    // In single precision two numbers side by side would be one small double.
    Data data;
    data.q.assign(data.q.size(), 1);
    write(data);
    for (const char* memory : {"", "--memory 1000"}) {
        const auto run = test::shell(call(memory));
        EXPECT_EQ(run.status, 0) << run.output;
    }
    EXPECT_NE(test::shell(call("--memory 1000 --check")).output.find("K0907"), std::string::npos);
}

TEST_F(BadInput, UnstableSteps) {
    Data data;
    data.tissue[9] = 2;
    write(data);
    // 1 - 8*2*dt at the shortest wave. That is no proof: the run goes on.
    const auto run = test::shell(call("--set dt=0.2"));
    EXPECT_EQ(run.status, 0) << run.output;
    for (const char* text : {"warning[K0740]: the step dt = 0.2 is likely unstable: the largest stable is 0.125",
                             "at cell (3, 1)", "--allow unstable leaves this warning out", "ran on"})
        EXPECT_NE(run.output.find(text), std::string::npos) << run.output;
    EXPECT_TRUE(fs::exists(file("out.h5")));
    const auto allowed = test::shell(call("--set dt=0.2 --allow unstable"));
    EXPECT_EQ(allowed.status, 0) << allowed.output;
    EXPECT_EQ(allowed.output.find("K0740"), std::string::npos) << allowed.output;
}

TEST_F(BadInput, SourcesOutsideTheDomain) {
    Data data;
    data.px[1] = 6;
    write(data);
    expect_refused({"error[K0742]: positions lie outside of the axis 'x': 1 of 2; the first is 6, at p = 1",
                    "tissue.kas:11:11", "'x' has 6 cells, 0 to 5", "--allow outside"});
    expect_allowed("K0742", "--allow outside");
    data.px[1] = -1;
    write(data);
    expect_refused({"error[K0742]", "the first is -1, at p = 1"});
}

TEST_F(BadInput, ASeriesShorterThanItsLoop) {
    write({});
    expect_refused({"error[K0746]: the position 'n' of 'q' lies outside of the axis 't' at n = 4: it is 4",
                    "'t' has 4 cells, 0 to 3"},
                   "--set steps=5");
}

TEST_F(BadInput, LabelsWithoutAMaterial) {
    Data data;
    data.tissue[13] = 3;
    write(data);
    expect_refused({"error[K0742]: positions lie outside of the axis 'm': 1 of 30; the first is 3, at x = 1, y = 2"});
    expect_allowed("K0742", "--allow outside,unstable");
}

TEST_F(BadInput, SourcesWhereNothingIsAssigned) {
    Data data;
    data.py[0] = 4;
    write(data);
    expect_refused(
        {"error[K0744]: entries lie in layers that the boundary of 'T' keeps: 1 of 2; the first is 4, at p = 0",
         "along 'y', cells 1 to 3 can be assigned"});
    expect_allowed("K0744", "--allow outside");
}

TEST_F(BadInput, CellsThatAListNamesTwice) {
    Data data;
    data.px[1] = 1;
    write(data);
    const std::vector<std::string> texts{
        "error[K0743]: two entries of a list are the same cell of 'T': p = 0 and p = 1", "both are x = 1, y = 2"};
    expect_refused(texts);
    expect_refused(texts, "--allow outside,not-finite,unstable");
}

/// Without the requirement each entry is added; the list is ordered only where that is needed, and --check is content.
TEST_F(BadInput, CellsThatAListMayNameTwiceAreGoodData) {
    std::string text = program;
    const std::string requirement = "require(distinct(px, py));\n";
    test::write_file(file("tissue.kas"), text.erase(text.find(requirement), requirement.size()));
    Data data;
    for (const bool twice : {false, true}) {
        if (twice) data.px[1] = 1;
        write(data);
        const auto run = test::shell(call("--check"));
        EXPECT_EQ(run.status, 0) << run.output;
        EXPECT_EQ(run.output.find("\n  order ") != std::string::npos, twice) << run.output;
        fs::remove(file("out.h5"));
    }
}

/// A list along an axis of its field that stands at a position: two entries of one cell are both added.
TEST_F(BadInput, CellsThatAListAlongItsFieldNamesTwiceAreAdded) {
    test::write_file(
        file("tissue.kas"),
        "float energy[p], all[p]; int px[p]; input energy, px; all = 0; all[p = px] += energy; return all;");
    Data data;
    for (const bool twice : {false, true}) {
        data.px = {0, twice ? 0 : 1};
        write(data);
        const auto run = test::shell(call("--check"));
        EXPECT_EQ(run.status, 0) << run.output;
        EXPECT_EQ(run.output.find("\n  order ") != std::string::npos, twice) << run.output;
        fs::remove(file("out.h5"));
    }
}

TEST_F(BadInput, AFileCutShort) {
    write({});
    const auto whole = fs::file_size(file("in.h5"));
    for (const auto bytes : {whole - 1, whole / 2, whole / 8, std::uintmax_t{0}}) {
        write({});
        fs::resize_file(file("in.h5"), bytes);
        expect_refused({"error[K070"});
    }
}

TEST_F(BadInput, AFolderThatCannotBeWritten) {
    write({});
    fs::create_directory(file("shut"));
    fs::permissions(file("shut"), fs::perms::owner_read | fs::perms::owner_exec);
    // Root writes wherever it likes, unless it has given that away: what is executed from here on has.
    ASSERT_TRUE(geteuid() != 0 || prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) == 0);
    ASSERT_NE(test::shell("touch " + file("shut/x")).status, 0);
    auto run = test::shell(KASC_COMMAND " run " + file("tissue.kas") + " --target cpu --in " + file("in.h5") +
                           " --out " + file("shut/out.h5"));
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_NE(run.output.find("error[K0720]"), std::string::npos) << run.output;
    run = test::shell(call("--checkpoint " + file("shut/ck.h5") + " --every 1"));
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_NE(run.output.find("error[K0720]"), std::string::npos) << run.output;
    EXPECT_TRUE(fs::is_empty(file("shut")));
    EXPECT_FALSE(fs::exists(file("out.h5")));
}

/// A field of 200 KB, so that a checkpoint and the output are larger than all else that a run writes.
class FullDisk : public BadInput {
protected:
    static constexpr std::uint64_t nx = 256, ny = 200;
    FullDisk() {
        test::write_file(file("heat.kas"),
                         "float T[x, y] boundary mirror; param int steps = 4; input T;\n"
                         "for (n = 0; n < steps; n++) { T = T + 0.1*laplace2(T, 1); } return T;\n");
        const std::vector<float> T(nx * ny, 37);
        EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {ny, nx}, T}}, {}).empty());
        // What the compiler writes does not count.
        test::write_file(file("cc"), "#!/bin/sh\nulimit -S -f unlimited; exec $REMEMBERING_CXX \"$@\"\n");
        fs::permissions(file("cc"), fs::perms::owner_all);
    }
    [[nodiscard]] std::string heat(const std::string& folder) const {
        return "CXX=" + file("cc") + " " KASC_COMMAND " run " + file("heat.kas") + " --target cpu --in " +
               file("in.h5") + " --out " + folder + "/out.h5 --checkpoint " + folder + "/ck.h5 --every 1";
    }
};

TEST_F(FullDisk, TheLastCheckpointStays) {
    fs::create_directory(file("disk"));
    ASSERT_EQ(test::shell(heat(file("disk"))).status, 0);
    const std::string checkpoint = test::read_file(file("disk/ck.h5")), output = test::read_file(file("disk/out.h5"));
    ASSERT_GT(checkpoint.size(), 100'000U);
    // Files may grow to 50 KiB.
    const auto full = test::shell("trap '' XFSZ; ulimit -S -f 100; " + heat(file("disk")) + " --set steps=3");
    EXPECT_EQ(full.status, 1) << full.output;
    EXPECT_NE(full.output.find("error[K0721]"), std::string::npos) << full.output;
    EXPECT_TRUE(test::read_file(file("disk/ck.h5")) == checkpoint);
    EXPECT_TRUE(test::read_file(file("disk/out.h5")) == output);
    EXPECT_EQ(std::distance(fs::directory_iterator(file("disk")), {}), 2);
    // The checkpoint from before is one to go on from.
    const auto on =
        test::shell("CXX=" + file("cc") + " " KASC_COMMAND " run " + file("heat.kas") + " --target cpu --in " +
                    file("in.h5") + " --out " + file("disk/again.h5") + " --restart " + file("disk/ck.h5"));
    EXPECT_EQ(on.status, 0) << on.output;
    EXPECT_TRUE(test::read_file(file("disk/again.h5")) == output);
}

TEST_F(FullDisk, AnotherProgramFillsIt) {
    // A file system of 320 KiB in a namespace of its own, for which one must be root.
    fs::create_directory(file("disk"));
    const std::string mounted = "mount -t tmpfs -o size=320k none " + file("disk");
    if (test::shell("unshare -m sh -c '" + mounted + "'").status != 0) GTEST_SKIP() << "no file system can be mounted";
    const auto run = test::shell("unshare -m sh -c '" + mounted + " && cd " + here_.path().string() + " && { " +
                                 heat(file("disk")) + "; echo status $?; ls disk; }'");
    // The output and one checkpoint fit, not the next one beside the last.
    EXPECT_NE(run.output.find("error[K0721]"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("No space left on device"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("status 1\nck.h5\n"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace kasc
