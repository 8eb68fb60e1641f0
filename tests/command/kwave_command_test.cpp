// kasc kwave as users of k-Wave call it: its flags, its output file, its checkpoints.
#include "command/kwave_case.hpp"

#include <csignal>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "runtime/hdf5/attributes.hpp"
#include "support/interrupt.hpp"
#include "support/remember_builds.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
using test::RecordedArrays;

class KWaveFlags : public testing::Test {
protected:
    static void SetUpTestSuite() {
        here_ = new test::Temporary;
        test::build_with("-O0");  // building takes longer than 60 steps of a small grid
        setenv("OMP_NUM_THREADS", "1", 1);
        setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    }
    static void TearDownTestSuite() {
        unsetenv("SOURCE_DATE_EPOCH");
        test::build_as_ever();
        delete here_;
        here_ = nullptr;
    }
    void SetUp() override {
        for (const auto& entry : fs::directory_iterator(here_->path())) {
            if (entry.path().extension() == ".h5") fs::remove(entry.path());
        }
    }

    [[nodiscard]] static std::string file(const std::string& name) { return (here_->path() / name).string(); }
    static test::ShellResult kwave(const std::string& flags, const std::string& out,
                                   const std::string& name = "2d_p_dirichlet_one") {
        return test::shell(KASC_COMMAND " kwave --target cpu -i " + test::kwave_input(name) + " -o " + file(out) + " " +
                           flags);
    }
    static void expect_run(const std::string& flags, const std::string& out,
                           const std::string& name = "2d_p_dirichlet_one") {
        const auto run = kwave(flags, out, name);
        ASSERT_EQ(run.status, 0) << run.output;
    }
    static RecordedArrays read(const std::string& out) { return test::read_arrays(file(out), test::kwave_names()); }

    static test::Temporary* here_;
};
test::Temporary* KWaveFlags::here_ = nullptr;

TEST_F(KWaveFlags, RecordPressureWhereNothingIsAskedFor) {
    ASSERT_NO_FATAL_FAILURE(expect_run("", "out.h5"));
    const RecordedArrays found = read("out.h5");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.at("p").shape, (runtime::Shape{1, 60, 22}));
    test::expect_near(found.at("p"), test::read_arrays(test::kwave_reference("2d_p_dirichlet_one"), {"p"}).at("p"),
                      "p");
}

/// How far the lines of a run's report say it is: "1 15 30".
std::string reported(const std::string& output) {
    static const std::regex line(R"( *(\d+)%  (\d+) of 60 steps, \d+:\d\d elapsed, \d+:\d\d to go)");
    std::istringstream lines(output);
    std::string steps;
    std::smatch found;
    for (std::string text; std::getline(lines, text);) {
        if (!std::regex_match(text, found, line)) continue;
        EXPECT_EQ(std::stoi(found[1]), std::stoi(found[2]) * 100 / 60) << text;
        steps += (steps.empty() ? "" : " ") + found[2].str();
    }
    return steps;
}

TEST_F(KWaveFlags, ProgressIsToldEverySoManyPerCent) {
    // Standard output is none of a terminal here.
    const auto run = [](const std::string& flags, const std::string& name) {
        const auto ended = kwave(flags, "out.h5", name);
        EXPECT_EQ(ended.status, 0) << ended.output;
        return reported(ended.output);
    };
    EXPECT_EQ(run("-r 25", "2d_p_dirichlet_one"), "1 15 30 45 60");
    EXPECT_EQ(run("", "2d_p_dirichlet_one"), "1 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60");
    EXPECT_EQ(run("-r 100", "2d_p_dirichlet_one"), "1 60");
    // The initial pressure is the first step.
    EXPECT_EQ(run("-r 50", "2d_p0_odd_size"), "2 30 60");
    const std::string legs = "-r 25 --checkpoint_timesteps 35 --checkpoint_file " + file("checkpoint.h5");
    EXPECT_EQ(run(legs, "2d_p_dirichlet_one"), "1 15 30");
    EXPECT_EQ(run(legs, "2d_p_dirichlet_one"), "36 45 60");
}

TEST_F(KWaveFlags, WhoLeavesWhileProgressIsToldLosesNothing) {
    const auto left = test::shell("(" KASC_COMMAND " kwave --target cpu -i " + test::kwave_input("2d_p_dirichlet_one") +
                                  " -o " + file("out.h5") + " -r 1; echo $? > " + file("status") + ") | head -n 1");
    EXPECT_EQ(test::read_file(file("status")), "0\n") << left.output;
    EXPECT_EQ(left.output.find("60 of 60"), std::string::npos) << left.output;
    EXPECT_EQ(read("out.h5").at("p").shape, (runtime::Shape{1, 60, 22}));
}

TEST_F(KWaveFlags, TheFileSaysWhatKWavesDo) {
    ASSERT_NO_FATAL_FAILURE(expect_run("--copy_sensor_mask", "out.h5"));
    auto header = runtime::read_attributes(
        file("out.h5"), {"file_type", "major_version", "minor_version", "created_by", "creation_date",
                         "file_description", "total_execution_time", "simulation_phase_execution_time"});
    ASSERT_TRUE(header);
    std::map<std::string, std::string>& h = *header.value;
    EXPECT_EQ(h["file_type"] + " " + h["major_version"] + "." + h["minor_version"], "output 1.2");
    EXPECT_EQ(h["created_by"], "kasc " KASC_VERSION);
    EXPECT_EQ(h["creation_date"], "09/09/01, 01:46:40");
    EXPECT_NE(h["file_description"].find("Input data created by"), std::string::npos);
    EXPECT_TRUE(h.contains("total_execution_time") && h.contains("simulation_phase_execution_time"));

    const RecordedArrays numbers = test::read_arrays(
        file("out.h5"), {"Nx", "Nz", "Nt", "t_index", "dt", "pml_y_size", "pml_z_size", "p_source_flag",
                         "u_source_mode", "axisymmetric_flag", "sensor_mask_type", "sensor_mask_index", "alpha_power"});
    for (const auto& [name, value] : std::map<std::string, double>{{"Nx", 64},
                                                                   {"Nz", 1},
                                                                   {"Nt", 60},
                                                                   {"t_index", 60},
                                                                   {"pml_y_size", 8},
                                                                   {"p_source_flag", 40},
                                                                   {"axisymmetric_flag", 0},
                                                                   {"sensor_mask_type", 0}}) {
        ASSERT_TRUE(numbers.contains(name)) << name;
        EXPECT_EQ(numbers.at(name).shape, (runtime::Shape{1, 1, 1})) << name;
        EXPECT_EQ(numbers.at(name).values.front(), value) << name;
    }
    EXPECT_FLOAT_EQ(static_cast<float>(numbers.at("dt").values.front()), 2e-8F);
    EXPECT_EQ(numbers.at("sensor_mask_index").values,
              test::read_arrays(test::kwave_input("2d_p_dirichlet_one"), {"sensor_mask_index"})
                  .at("sensor_mask_index")
                  .values);
    for (const char* absent : {"pml_z_size", "u_source_mode", "alpha_power"}) EXPECT_FALSE(numbers.contains(absent));
}

TEST_F(KWaveFlags, SamplingBeginsAtItsStep) {
    const std::string flags = "-p -u --p_max --p_rms --u_min ";
    ASSERT_NO_FATAL_FAILURE(expect_run(flags, "all.h5", "2d_p0_odd_size"));
    ASSERT_NO_FATAL_FAILURE(expect_run(flags + "-s 7", "late.h5", "2d_p0_odd_size"));
    const RecordedArrays all = read("all.h5"), late = read("late.h5");
    constexpr std::size_t cells = 22, before = 6, steps = 60;
    for (const char* name : {"p", "ux", "uy"}) {
        EXPECT_EQ(late.at(name).shape, (runtime::Shape{1, steps - before, cells}));
        EXPECT_TRUE(std::equal(late.at(name).values.begin(), late.at(name).values.end(),
                               all.at(name).values.begin() + before * cells));
    }
    for (std::size_t s = 0; s < cells; ++s) {
        double most = -HUGE_VAL, least = HUGE_VAL, squares = 0;
        for (std::size_t t = before; t < steps; ++t) {
            const double p = all.at("p").values[t * cells + s];
            most = std::max(most, p);
            least = std::min(least, all.at("ux").values[t * cells + s]);
            squares += p * p;
        }
        EXPECT_EQ(late.at("p_max").values[s], most);
        EXPECT_EQ(late.at("ux_min").values[s], least);
        EXPECT_NEAR(late.at("p_rms").values[s], std::sqrt(squares / (steps - before)), 1e-6 * std::sqrt(squares));
    }
}

TEST_F(KWaveFlags, BoxesAreGroupsAndComeWithTheirMask) {
    ASSERT_NO_FATAL_FAILURE(expect_run("-p --p_max --copy_sensor_mask --benchmark 5", "out.h5", "2d_corners"));
    const RecordedArrays found = read("out.h5");
    EXPECT_EQ(found.at("p/1").shape, (runtime::Shape{5, 1, 6, 3}));
    EXPECT_EQ(found.at("p_max/2").shape, (runtime::Shape{1, 3, 6}));
    const auto mask = test::read_arrays(file("out.h5"), {"sensor_mask_corners", "sensor_mask_type"});
    EXPECT_EQ(mask.at("sensor_mask_type").values.front(), 1);
    EXPECT_EQ(
        mask.at("sensor_mask_corners").values,
        test::read_arrays(test::kwave_input("2d_corners"), {"sensor_mask_corners"}).at("sensor_mask_corners").values);
    // kasc run knows nothing of boxes, and says who does.
    const auto run = test::shell(KASC_COMMAND " run " KASC_SOURCE_DIR "/examples/kwave/kwave.kas --target cpu --in " +
                                 test::kwave_input("2d_corners") + " --out " + file("run.h5"));
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.output.find("kasc kwave"), std::string::npos) << run.output;
}

TEST_F(KWaveFlags, BenchmarksHaveTheirOwnNumberOfSteps) {
    ASSERT_NO_FATAL_FAILURE(expect_run("--benchmark 9 --p_final", "out.h5"));
    const RecordedArrays found = read("out.h5");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.at("p_final").shape, (runtime::Shape{1, 48, 64}));
    EXPECT_EQ(test::read_arrays(file("out.h5"), {"Nt"}).at("Nt").values.front(), 9);
}

TEST_F(KWaveFlags, CompressedOutputsAreSmallerAndTheSame) {
    const std::string name = "3d_p0_odd_size", flags = "-p --p_max --p_max_all --p_final --copy_sensor_mask ";
    ASSERT_NO_FATAL_FAILURE(expect_run(flags, "plain.h5", name));
    ASSERT_NO_FATAL_FAILURE(expect_run(flags + "-c 0", "zero.h5", name));
    EXPECT_TRUE(test::read_file(file("zero.h5")) == test::read_file(file("plain.h5")));
    const RecordedArrays plain = read("plain.h5");
    for (const std::string level : {"1", "9"}) {
        const std::string out = "level" + level + ".h5";
        ASSERT_NO_FATAL_FAILURE(expect_run(flags + "-c " + level, out, name));
        EXPECT_LT(fs::file_size(file(out)), fs::file_size(file("plain.h5")));
        const RecordedArrays found = read(out);
        ASSERT_EQ(found.size(), plain.size());
        for (const auto& [what, array] : plain) {
            EXPECT_EQ(found.at(what).shape, array.shape) << what;
            EXPECT_TRUE(found.at(what).values == array.values) << what;
        }
        EXPECT_EQ(test::read_arrays(file(out), {"t_index"}).at("t_index").values.front(), 60);
    }
    EXPECT_FALSE(test::read_file(file("level1.h5")) == test::read_file(file("level9.h5")));
    // Legs leave the same file; it is packed when it is finished.
    const std::string legs = " -c 9 --checkpoint_timesteps 40 --checkpoint_file " + file("checkpoint.h5");
    ASSERT_NO_FATAL_FAILURE(expect_run(flags + legs, "legs.h5", name));
    EXPECT_TRUE(fs::exists(file("checkpoint.h5")));
    ASSERT_NO_FATAL_FAILURE(expect_run(flags + legs, "legs.h5", name));
    EXPECT_TRUE(test::read_file(file("legs.h5")) == test::read_file(file("level9.h5")));
}

/// A call a leg, until the checkpoint is gone; how many there were.
int legs(const std::function<test::ShellResult()>& call, const std::string& checkpoint, const std::string& out) {
    int count = 0;
    do {
        const auto run = call();
        EXPECT_EQ(run.status, 0) << run.output;
        if (run.status != 0 || ++count > 10) break;
        const double done = test::read_arrays(out, {"t_index"}).at("t_index").values.front();
        EXPECT_EQ(fs::exists(checkpoint), done < 60) << run.output;
    } while (fs::exists(checkpoint));
    return count;
}

TEST_F(KWaveFlags, CheckpointsEndACallAndTheNextGoesOn) {
    for (const std::string name : {"2d_p_dirichlet_one", "2d_p0_odd_size", "2d_corners"}) {
        const std::string flags = std::string("-p --p_rms --u_max_all ") + (name == "2d_p0_odd_size" ? "-s 34 " : "");
        ASSERT_NO_FATAL_FAILURE(expect_run(flags, "whole.h5", name));
        const std::string out = name + ".h5", checkpoint = file("checkpoint.h5");
        const std::string often = flags + "--checkpoint_timesteps 25 --checkpoint_file " + checkpoint;
        EXPECT_EQ(legs([&] { return kwave(often, out, name); }, checkpoint, file(out)), 3);
        EXPECT_TRUE(test::read_file(file(out)) == test::read_file(file("whole.h5"))) << name;
    }
}

TEST_F(KWaveFlags, ASeriesStandsInTheFileBeforeTheEnd) {
    // With an initial pressure, which is the first sample; from a step on; and not yet, where that has not come.
    struct Case {
        std::string name, flags;
        std::size_t rows;
    };
    for (const Case& c : std::vector<Case>{{"2d_p0_odd_size", "", 25},
                                           {"2d_p0_odd_size", "-s 7 ", 19},
                                           {"2d_p0_odd_size", "-s 40 ", 0},
                                           {"2d_p_dirichlet_one", "-s 2 ", 24},
                                           {"2d_p_dirichlet_one", "", 25}}) {
        fs::remove(file("checkpoint.h5"));
        ASSERT_NO_FATAL_FAILURE(expect_run(c.flags + "-p -u", "whole.h5", c.name));
        ASSERT_NO_FATAL_FAILURE(expect_run(
            c.flags + "-p -u --checkpoint_timesteps 25 --checkpoint_file " + file("checkpoint.h5"), "out.h5", c.name));
        // An initial pressure is a step like the others.
        EXPECT_EQ(test::read_arrays(file("out.h5"), {"t_index"}).at("t_index").values.front(), 25) << c.name;
        const RecordedArrays whole = read("whole.h5"), part = read("out.h5");
        for (const char* what : {"p", "ux", "uy"}) {
            const auto &all = whole.at(what).values, &some = part.at(what).values;
            const auto there = static_cast<std::ptrdiff_t>(c.rows * 22);
            EXPECT_TRUE(std::equal(some.begin(), some.begin() + there, all.begin())) << c.name << c.flags << what;
            EXPECT_TRUE(std::all_of(some.begin() + there, some.end(), [](double v) { return v == 0; }))
                << c.name << c.flags << what;
        }
    }

    // Another call is none that the checkpoint belongs to, and a file that is gone cannot be gone on with.
    const auto other = kwave("--p_max --checkpoint_timesteps 25 --checkpoint_file " + file("checkpoint.h5"), "out.h5");
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.output.find("error[K0841]"), std::string::npos) << other.output;
    for (const bool there : {true, false}) {
        if (there) test::write_file(file("out.h5"), "short");
        if (!there) fs::remove(file("out.h5"));
        const auto gone = kwave("-p -u --checkpoint_timesteps 25 --checkpoint_file " + file("checkpoint.h5"), "out.h5");
        EXPECT_EQ(gone.status, 1);
        EXPECT_NE(gone.output.find("error[K0843]"), std::string::npos) << gone.output;
        EXPECT_EQ(fs::exists(file("out.h5")), there);
    }
}

TEST_F(KWaveFlags, CtrlCLeavesTheStepThatIsReached) {
    const std::string checkpoint = file("stopped.ck.h5"), out = file("stopped.h5");
    const std::string call = std::string(KASC_COMMAND " kwave --target cpu -i ") + test::kwave_input("2d_p0_odd_size") +
                             " -o " + out + " --p_max --benchmark 20000 --checkpoint_interval 3600 --checkpoint_file " +
                             checkpoint;
    std::string said;
    // The output stands at its place as soon as the simulation begins.
    const int status = test::interrupt(call, out, SIGINT, file("log"), said);
    ASSERT_TRUE(WIFEXITED(status)) << said;
    ASSERT_EQ(WEXITSTATUS(status), 1) << said;
    std::smatch reached;
    ASSERT_TRUE(std::regex_search(said, reached, std::regex(R"(after step (\d+) of 20000)"))) << said;
    const auto step = test::read_arrays(out, {"t_index"}).at("t_index").values.front();
    EXPECT_GT(step, 0);
    EXPECT_EQ(step, std::stod(reached[1])) << said;
    const auto next = test::shell(call + " --checkpoint_timesteps 7");
    EXPECT_EQ(next.status, 0) << next.output;
    EXPECT_NE(next.output.find("goes on at step " + reached[1].str() + " of 20000"), std::string::npos) << next.output;
    EXPECT_EQ(test::read_arrays(out, {"t_index"}).at("t_index").values.front(), step + 7);
}

TEST_F(KWaveFlags, EveryStepMayBeACheckpoint) {
    const std::string flags = "--p_raw --benchmark 3 ", checkpoint = file("checkpoint.h5");
    ASSERT_NO_FATAL_FAILURE(expect_run(flags, "whole.h5", "2d_p0_odd_size"));
    for (int step = 1; step <= 3; ++step) {
        ASSERT_NO_FATAL_FAILURE(
            expect_run(flags + "--checkpoint_timesteps 1 --checkpoint_file " + checkpoint, "out.h5", "2d_p0_odd_size"));
        EXPECT_EQ(test::read_arrays(file("out.h5"), {"t_index"}).at("t_index").values.front(), step);
        EXPECT_EQ(fs::exists(checkpoint), step < 3);
    }
    EXPECT_TRUE(test::read_file(file("out.h5")) == test::read_file(file("whole.h5")));
}

TEST_F(KWaveFlags, SeriesThatDoNotFitPassThroughMemoryRowByRow) {
    // 1000 steps of 22 sensors are 88 KB, and what is allowed beyond the fields is 20.
    for (const std::string flags : {"--benchmark 1000 -p", "--benchmark 1000 -p -s 300"}) {
        ASSERT_NO_FATAL_FAILURE(expect_run(flags, "whole.h5", "2d_p0_odd_size"));
        const auto none = kwave(flags + " --memory 100K", "none.h5", "2d_p0_odd_size");
        EXPECT_EQ(none.status, 1) << none.output;
        EXPECT_NE(none.output.find("lie there row by row"), std::string::npos) << none.output;
        std::smatch least;
        const std::regex needed(R"(error\[K0723\]: the arrays need ([0-9.]+) KiB)");
        ASSERT_TRUE(std::regex_search(none.output, least, needed)) << none.output;
        // Room for 200 rows more than one.
        const std::string memory = " --memory " + std::to_string(std::stoi(least[1]) + 20) + "K";
        ASSERT_NO_FATAL_FAILURE(expect_run(flags + memory, "rows.h5", "2d_p0_odd_size"));
        EXPECT_TRUE(test::read_file(file("rows.h5")) == test::read_file(file("whole.h5"))) << flags;
    }
}

TEST_F(KWaveFlags, TheCommandOfItsOwnTakesThemAsTheyAre) {
    const fs::path own = fs::path(KASC_COMMAND).parent_path() / "kasc-kwave";
    const auto version = test::shell(own.string() + " --version");
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.output.substr(0, 5), "kasc ");
    // Under the name of k-Wave's own it runs where that one would.
    fs::create_symlink(own, file("kspaceFirstOrder-OMP"));
    const auto run = test::shell(file("kspaceFirstOrder-OMP") + " -i " + test::kwave_input("2d_p_dirichlet_one") +
                                 " -o " + file("out.h5") + " -t 1 --verbose 1 --p_raw -c 0 -r 5");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("ran on "), std::string::npos) << run.output;
    EXPECT_EQ(read("out.h5").size(), 1U);
    // The command does not take the CPU where k-Wave's own would take the GPU, and says how to.
    fs::create_symlink(own, file("kspaceFirstOrder-CUDA"));
    const auto none = test::shell("CUDA_VISIBLE_DEVICES=-1 " + file("kspaceFirstOrder-CUDA") + " -i " +
                                  test::kwave_input("2d_p_dirichlet_one") + " -o " + file("none.h5"));
    EXPECT_EQ(none.status, 1) << none.output;
    EXPECT_NE(none.output.find("error[K0805]: no GPU found"), std::string::npos) << none.output;
    EXPECT_NE(none.output.find("is_gpu_simulation=False"), std::string::npos) << none.output;
    EXPECT_FALSE(fs::exists(file("none.h5")));
}

TEST_F(KWaveFlags, OfAFlagThatIsGivenTwiceTheLastCounts) {
    ASSERT_NO_FATAL_FAILURE(expect_run("--p_raw -s 7 -t 2 -p -s 58 -t 1 -r 10 -r 50", "out.h5"));
    EXPECT_EQ(read("out.h5").at("p").shape, (runtime::Shape{1, 3, 22}));
}

TEST_F(KWaveFlags, CallsAtFault) {
    for (const auto& [flags, text] : std::map<std::string, std::string>{
             {"-s 0", "-s: '0' is no whole number from 1"},
             {"-s 1.5", "-s: '1.5' is no whole number from 1"},
             {"-g -1", "-g: '-1' is no whole number from 0"},
             {"-s 61", "error[K0910]"},
             {"--checkpoint_file " + file("c.h5"), "error[K0911]"},
             {"--checkpoint_timesteps 5", "error[K0911]"},
             {"--checkpoint_interval 0 --checkpoint_file " + file("c.h5"), "--checkpoint_interval"},
             {"-c 10", "-c"},
             {"-c -1", "-c"},
             {"-c fast", "-c"},
             {"-r 0", "-r"},
             {"-r 101", "-r"},
             {"--verbose 3", "--verbose"},
             {"--I_avg", "error[K0914]: --I_avg is no flag of k-Wave 1.3"},
             {"--p_raw --Q_term_c --p_c", "error[K0914]: --p_c is no flag of k-Wave 1.3"},
             {"--frequency 1e6 --harmonics 2", "error[K0914]: --harmonics"},
             {"--intensity", "--intensity"}}) {
        const auto run = kwave(flags, "out.h5");
        EXPECT_EQ(run.status, 2) << flags << run.output;
        EXPECT_NE(run.output.find(text), std::string::npos) << run.output;
        EXPECT_FALSE(fs::exists(file("out.h5")));
    }
    EXPECT_EQ(test::shell(KASC_COMMAND " kwave").status, 2);
    const auto help = test::shell(KASC_COMMAND " kwave -h");
    EXPECT_EQ(help.status, 0);
    for (const char* word : {"--p_raw", "--u_non_staggered_raw", "--checkpoint_timesteps", "Example:", "kasc-kwave"})
        EXPECT_NE(help.output.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace kasc
