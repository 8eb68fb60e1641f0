// Runs of many steps: stopped, killed and gone on with; series in windows; files and disks that fail. What a run gives
// is compared byte by byte with a run that was left alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/hdf5/file.hpp"
#include "support/interrupt.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

/// A series in, a series out, a kept rim, a value from before the loop.
const char* const program =
    "param int steps; param float dt = 0.1;\n"
    "float T[x, y] boundary keep(1), q[x, y, t], movie[x, y, t], z[x, y], energy[t];\n"
    "input T, q;\n"
    "z = T * 2;\n"
    "for (n = 0; n < steps; n++) {\n"
    "    T = T + dt*(T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4*T + q[t = n]);\n"
    "    movie[t = n] = T + z;\n"
    "    energy[t = n] = T[x = 3, y = 4];\n"
    "}\n"
    "return T, movie, energy;\n";

class LongRun : public testing::Test {
protected:
    static constexpr std::uint64_t nx = 17, ny = 12, nt = 20000;

    static void SetUpTestSuite() {
        here_ = new test::Temporary;
        // A row of the grid has 17 cells: threads would wait for each other, on a busy machine for long.
        setenv("OMP_NUM_THREADS", "1", 1);
        test::write_file(here_->path() / "series.kas", program);
        std::vector<float> T(nx * ny), q(nx * ny * nt);
        unsigned random = 1;
        for (auto* values : {&T, &q}) {
            for (float& value : *values)
                value = static_cast<float>((random = random * 1664525U + 1013904223U) >> 16U) / 65536.0F;
        }
        ASSERT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {ny, nx}, T}, {"q", {nt, ny, nx}, q}}, {}).empty());
        q.back() += 1;
        ASSERT_TRUE(runtime::write_hdf5(file("other.h5"), {{"T", {ny, nx}, T}, {"q", {nt, ny, nx}, q}}, {}).empty());
        const auto whole = test::shell(call("whole.h5"));
        ASSERT_EQ(whole.status, 0) << whole.output;
    }
    static void TearDownTestSuite() {
        delete here_;
        here_ = nullptr;
    }

    [[nodiscard]] static std::string file(const std::string& name) { return (here_->path() / name).string(); }
    [[nodiscard]] static std::string call(const std::string& out, const std::string& more = "",
                                          const std::string& in = "in.h5") {
        return KASC_COMMAND " run " + file("series.kas") + " --target cpu --set steps=" + std::to_string(nt) +
               " --in " + file(in) + " --out " + file(out) + " " + more;
    }
    static void expect_whole(const std::string& out) {
        EXPECT_TRUE(test::read_file(file(out)) == test::read_file(file("whole.h5"))) << out;
    }
    static void expect_fault(const std::string& command, int status, const std::string& code) {
        const auto run = test::shell(command);
        EXPECT_EQ(run.status, status) << run.output;
        EXPECT_NE(run.output.find(code), std::string::npos) << run.output;
    }

    static int interrupt(const std::string& command, const std::string& awaited, int signal, std::string& said) {
        return test::interrupt(command, awaited, signal, file("log"), said);
    }
    static int interrupt_midway(const std::string& command, const std::string& made, const std::string& awaited,
                                int signal, std::string& said) {
        return test::interrupt_midway(command, file(made), file(awaited), signal, file("log"), said);
    }

    static test::Temporary* here_;
};
test::Temporary* LongRun::here_ = nullptr;

TEST_F(LongRun, CheckpointsChangeNothing) {
    const auto run = test::shell(call("a.h5", "--checkpoint " + file("a.ck.h5") + " --every 7001"));
    ASSERT_EQ(run.status, 0) << run.output;
    expect_whole("a.h5");
    EXPECT_FALSE(fs::exists(file("a.h5.part")));
    fs::remove(file("a.h5"));
    // The last checkpoint's rows went into the result, which is not there any more.
    expect_fault(call("a.h5", "--restart " + file("a.ck.h5")), 1, "K0843");
    EXPECT_FALSE(fs::exists(file("a.h5.part")));
}

TEST_F(LongRun, CtrlCWritesACheckpointAndTheRunGoesOn) {
    for (const int signal : {SIGINT, SIGTERM}) {
        std::string said;
        const int status = interrupt_midway(call("c.h5", "--checkpoint " + file("c.ck.h5") + " --every 50"), "c.h5",
                                            "c.ck.h5", signal, said);
        ASSERT_TRUE(WIFEXITED(status)) << said;
        ASSERT_EQ(WEXITSTATUS(status), 1) << said;
        EXPECT_NE(said.find("error[K0814]"), std::string::npos) << said;
        EXPECT_NE(said.find("--restart " + file("c.ck.h5")), std::string::npos) << said;
        EXPECT_FALSE(fs::exists(file("c.h5")));
        // By another plan, with other windows.
        const auto run = test::shell(call("c.h5", "--restart " + file("c.ck.h5") + " --strategy none --memory 1M"));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_NE(run.output.find("goes on at step "), std::string::npos) << run.output;
        expect_whole("c.h5");
        fs::remove(file("c.h5"));
    }
}

TEST_F(LongRun, KilledAgainAndAgainItComesToItsEnd) {
    std::string said;
    interrupt_midway(call("k.h5", "--checkpoint " + file("k.ck.h5") + " --every 900"), "k.h5", "k.ck.h5", SIGKILL,
                     said);
    // A run that is killed when its output stands is at its end all the same.
    for (int round = 0; round < 3 && !fs::exists(file("k.h5")); ++round) {
        ASSERT_TRUE(fs::exists(file("k.ck.h5"))) << said;
        fs::copy_file(file("k.ck.h5"), file("k.from.h5"), fs::copy_options::overwrite_existing);
        fs::remove(file("k.ck.h5"));
        const int status = interrupt(
            call("k.h5", "--restart " + file("k.from.h5") + " --checkpoint " + file("k.ck.h5") + " --every 900"),
            file("k.ck.h5"), SIGKILL, said);
        if (WIFEXITED(status)) {
            EXPECT_EQ(WEXITSTATUS(status), 0) << said;
        }
    }
    if (!fs::exists(file("k.h5"))) {
        const auto run = test::shell(call("k.h5", "--restart " + file("k.ck.h5")));
        ASSERT_EQ(run.status, 0) << run.output;
    }
    expect_whole("k.h5");
}

TEST_F(LongRun, SeriesPassThroughMemoryRowByRow) {
    // Other arrays take 3.3 KiB and the numbers of `energy` 78 KiB, a row of q and movie 1.6 KiB each as it lies twice.
    for (const char* memory : {"500K", "4M"}) {
        const auto run = test::shell(call("w.h5", std::string("--memory ") + memory));
        ASSERT_EQ(run.status, 0) << run.output;
        expect_whole("w.h5");
        fs::remove(file("w.h5"));
    }
    expect_fault(call("w.h5", "--memory 10K"), 1, "K0723");
    expect_fault(call("w.h5", "--memory 1M --check"), 2, "K0907");
    expect_fault(call("w.h5", "--memory 1M --picture movie=" + file("m.png")), 2, "K0907");
    EXPECT_EQ(test::shell(call("w.h5", "--memory much")).status, 2);
    EXPECT_EQ(test::shell(call("w.h5", "--checkpoint " + file("w.ck.h5") + " --every often")).status, 2);
    EXPECT_FALSE(fs::exists(file("w.h5")));
}

TEST_F(LongRun, WindowsHoldTheRowsBesideTheIteration) {
    test::write_file(here_->path() / "beside.kas",
                     "param int steps;\n"
                     "float T[x, y] boundary keep(1), q[x, y, t], movie[x, y, t], last[x, y, t];\n"
                     "input T, q;\n"
                     "for (n = 1; n < steps - 2; n++) {\n"
                     "    T = T + 0.1*(laplace2(T, 1) + q[t = n - 1] - 2*q[t = n] + q[t = n + 2]);\n"
                     "    movie[t = n + 1] = T;\n"
                     "    last[t = n - 1] = T;\n"
                     "}\n"
                     "return T, movie, last;\n");
    const auto beside = [](const std::string& out, const std::string& more) {
        std::string with = call(out, more);
        with.replace(with.find("series.kas"), 10, "beside.kas");
        return with + " --set t=" + std::to_string(nt);
    };
    ASSERT_EQ(test::shell(beside("b0.h5", "")).status, 0);
    // Rows of 816 bytes, of q twice and of the outputs once: windows of 4, of 30 and of some thousand rows.
    for (const char* memory : {"18K", "100K", "20M"}) {
        const auto run = test::shell(beside("b1.h5", std::string("--memory ") + memory));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_TRUE(test::read_file(file("b1.h5")) == test::read_file(file("b0.h5"))) << memory;
        fs::remove(file("b1.h5"));
    }
    expect_fault(beside("b1.h5", "--memory 10K"), 1, "K0723");
    // Stopped between two windows, and gone on with in other ones.
    std::string said;
    interrupt_midway(beside("b1.h5", "--memory 100K --checkpoint " + file("b.ck.h5") + " --every 777"), "b1.h5",
                     "b.ck.h5", SIGKILL, said);
    const auto on = test::shell(beside("b1.h5", "--memory 60K --restart " + file("b.ck.h5")));
    ASSERT_EQ(on.status, 0) << on.output;
    EXPECT_TRUE(test::read_file(file("b1.h5")) == test::read_file(file("b0.h5")));
    // A row before the first is refused.
    std::string text = test::read_file(here_->path() / "beside.kas");
    test::write_file(here_->path() / "beside.kas", text.replace(text.find("n = 1"), 5, "n = 0"));
    fs::remove(file("b1.h5"));
    expect_fault(beside("b1.h5", ""), 1, "K0746");
    EXPECT_FALSE(fs::exists(file("b1.h5")));
}

TEST_F(LongRun, WindowsHoldRowsClampedToTheSeriesAndWhatRidesOnTheNextIteration) {
    test::write_file(here_->path() / "clamped.kas",
                     "param int steps;\n"
                     "axis p = 7;\n"
                     "float T[x, y] boundary keep(1), q[x, y, t], movie[x, y, t], at[p, t], most[p];\n"
                     "int px[p];\n"
                     "input T, q;\n"
                     "px = p; most = -1000;\n"
                     "for (n = 0; n < steps; n++) {\n"
                     "    T = T + 0.1*(laplace2(T, 1) + q[t = n > 0 ? n - 1 : 0]\n"
                     "                 - q[t = n + 1 < extent(t) ? n + 1 : extent(t) - 1]);\n"
                     "    movie[t = n] = T;\n"
                     "    at[t = n] = T[x = px, y = p];\n"
                     "    most = max(most, T[x = px, y = p]);\n"
                     "}\n"
                     "return T, movie, at, most;\n");
    const auto clamped = [](const std::string& out, const std::string& more) {
        std::string with = call(out, more);
        with.replace(with.find("series.kas"), 10, "clamped.kas");
        return with;
    };
    const auto whole = test::shell(clamped("c0.h5", ""));
    ASSERT_EQ(whole.status, 0) << whole.output;
    for (const char* memory : {"30K", "100K", "20M"}) {
        const auto run = test::shell(clamped("c1.h5", std::string("--memory ") + memory));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_TRUE(test::read_file(file("c1.h5")) == test::read_file(file("c0.h5"))) << memory;
        fs::remove(file("c1.h5"));
    }
    std::string said;
    interrupt_midway(clamped("c1.h5", "--memory 100K --checkpoint " + file("clamped.ck.h5") + " --every 777"), "c1.h5",
                     "clamped.ck.h5", SIGKILL, said);
    const auto on = test::shell(clamped("c1.h5", "--memory 60K --restart " + file("clamped.ck.h5")));
    ASSERT_EQ(on.status, 0) << on.output;
    EXPECT_TRUE(test::read_file(file("c1.h5")) == test::read_file(file("c0.h5")));
}

TEST_F(LongRun, RowsFromBeforeTheLoopAndLateOnesStandInTheirWindows) {
    test::write_file(here_->path() / "before.kas",
                     "param int steps; axis t = steps;\n"
                     "float T[x, y] boundary keep(1), movie[x, y, t], last[x, y, t], late[x, y, t];\n"
                     "input T;\n"
                     "movie[t = 0] = T; movie[t = 1] = 2 * T;\n"
                     "for (m = 0; m < 900; m++) { T = T + 0.1*laplace2(T, 1); }\n"
                     "last[t = 0] = T;\n"
                     "for (n = 2; n < steps; n++) {\n"
                     "    T = T + 0.1*laplace2(T, 1);\n"
                     "    movie[t = n] = T;\n"
                     "    last[t = n - 1] = T;\n"
                     "    late[t = n < 1500 ? 0 : n - 1500] = T;\n"
                     "}\n"
                     "return T, movie, last, late;\n");
    const auto before = [](const std::string& out, const std::string& more) {
        return KASC_COMMAND " run " + file("before.kas") + " --target cpu --set steps=3000 --in " + file("in.h5") +
               " --out " + file(out) + " " + more;
    };
    ASSERT_EQ(test::shell(before("f0.h5", "")).status, 0);
    // Rows of 816 bytes of three series: windows of two, of some and of thousands of rows.
    for (const char* memory : {"9K", "40K", "6M"}) {
        const auto run = test::shell(before("f1.h5", std::string("--memory ") + memory));
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_TRUE(test::read_file(file("f1.h5")) == test::read_file(file("f0.h5"))) << memory;
        fs::remove(file("f1.h5"));
    }
    expect_fault(before("f1.h5", "--memory 5K"), 1, "K0723");
    // What is said to be needed is enough: each window has what its own iterations need, two rows of the first.
    const std::string refused = test::shell(before("f1.h5", "--memory 1K")).output;
    const double needed = std::stod(refused.substr(refused.find("need ") + 5));
    const auto least = test::shell(before("f1.h5", fmt::format("--memory {:.0f}K", std::ceil(needed))));
    EXPECT_EQ(least.status, 0) << refused << least.output;
    fs::remove(file("f1.h5"));
    // Killed behind every checkpoint or two: in the first loop, between the loops, before the first late row, behind
    // it.
    const std::string often = "--memory 40K --every 450 --checkpoint " + file("f.ck.h5");
    std::string said;
    int status = interrupt_midway(before("f1.h5", often), "f1.h5", "f.ck.h5", SIGKILL, said);
    for (int round = 0; round < 20 && WIFSIGNALED(status) && !fs::exists(file("f1.h5")); ++round) {
        fs::rename(file("f.ck.h5"), file("f.from.h5"));
        status = interrupt(before("f1.h5", often + " --restart " + file("f.from.h5")), file("f.ck.h5"), SIGKILL, said);
    }
    ASSERT_TRUE(fs::exists(file("f1.h5"))) << said;
    EXPECT_TRUE(test::read_file(file("f1.h5")) == test::read_file(file("f0.h5")));
}

TEST_F(LongRun, ACheckpointOfAnotherRunIsRefused) {
    ASSERT_EQ(test::shell(call("i.h5", "--checkpoint " + file("i.ck.h5") + " --every 15000")).status, 0);
    const std::string restart = "--restart " + file("i.ck.h5");
    expect_fault(call("j.h5", restart + " --set dt=0.2"), 1, "which differs in the parameters");
    expect_fault(call("j.h5", restart, "other.h5"), 1, "which differs in the input q");
    test::write_file(here_->path() / "changed.kas", std::string(program) + "// not the same\n");
    std::string changed = call("j.h5", restart);
    changed.replace(changed.find("series.kas"), 10, "changed.kas");
    expect_fault(changed, 1, "which differs in the program");
    expect_fault(call("j.h5", "--restart " + file("in.h5")), 1, "it is no checkpoint of kasc");
    expect_fault(call("j.h5", "--restart " + file("series.kas")), 1, "K0840");
    expect_fault(call("j.h5", "--restart " + file("nothing.h5")), 1, "K0840");
    expect_fault(call("in.h5"), 1, "it is the input file");
    expect_fault(call("j.h5", "--checkpoint " + file("in.h5")), 1, "it is the input file");
    EXPECT_FALSE(fs::exists(file("j.h5")));
    const auto no_loop =
        test::shell("cd " KASC_SOURCE_DIR "/examples && " KASC_COMMAND " run strain_energy.kas --target cpu --in " +
                    file("in.h5") + " --out " + file("j.h5") + " " + restart);
    EXPECT_NE(no_loop.status, 0);
}

TEST_F(LongRun, DisksThatFailLeaveTheLastCheckpoint) {
    const std::string checkpoint = "--checkpoint " + file("d.ck.h5") + " --every 5000";
    ASSERT_EQ(test::shell(call("d.h5", checkpoint)).status, 0);
    const std::string before = test::read_file(file("d.ck.h5"));
    fs::remove(file("d.h5"));
    // 512-byte blocks: the output may not grow to its 16 MB, as on a full disk.
    const auto full = test::shell("ulimit -f 8000; " + call("d.h5", checkpoint));
    EXPECT_EQ(full.status, 1) << full.output;
    EXPECT_NE(full.output.find("K0721"), std::string::npos) << full.output;
    EXPECT_FALSE(fs::exists(file("d.h5")));
    EXPECT_FALSE(test::read_file(file("d.ck.h5")).empty());
    expect_fault(call("d.h5", "--checkpoint /proc/d.ck.h5"), 1, "K0720");
    expect_fault(call("../d.h5/x.h5"), 1, "K0720");
    // A file of the input's that is cut short while the run goes on: rows that are not there.
    fs::copy_file(file("in.h5"), file("cut.h5"));
    fs::resize_file(file("cut.h5"), fs::file_size(file("cut.h5")) / 2);
    expect_fault(call("d.h5", "--memory 1M", "cut.h5"), 1, "K0703");
    EXPECT_FALSE(fs::exists(file("d.h5")));
}

TEST_F(LongRun, ABrokenCheckpointIsRefusedWhereverItIsBroken) {
    ASSERT_EQ(test::shell(call("b.h5", "--checkpoint " + file("b.ck.h5") + " --every 15000")).status, 0);
    const std::string good = test::read_file(file("b.ck.h5"));
    std::mt19937 random(5);
    for (int round = 0; round < 24; ++round) {
        std::string broken = good;
        if (round % 2 == 0) {
            broken.resize(random() % good.size());
        } else {
            broken[random() % good.size()] ^= static_cast<char>(1U << random() % 8);
        }
        test::write_file(here_->path() / "broken.h5", broken);
        // The output's rows are in b.h5, so a checkpoint that is whole in all that counts ends in K0843.
        const auto run = test::shell(call("b2.h5", "--restart " + file("broken.h5")));
        EXPECT_EQ(run.status, 1) << round << run.output;
        const bool refused = run.output.find("K0840") != std::string::npos;
        const bool whole = round % 2 == 1 && run.output.find("K0843") != std::string::npos;
        EXPECT_TRUE(refused || whole) << round << run.output;
    }
}

}  // namespace
}  // namespace kasc
