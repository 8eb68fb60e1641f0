// Tuning on the CPU, with a compiler of the test's own in the way: it counts what is built, spoils it or interrupts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/hdf5/file.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const std::string root = KASC_SOURCE_DIR;

class TuneTest : public ::testing::Test {
protected:
    test::Temporary folder_;

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
    /// A compiler that writes a line to builds.log, then does what `script` says; "$source" is what it compiles.
    void use_compiler(const std::string& script) {
        const std::string file = path("compiler");
        test::write_file(file,
                         "#!/bin/bash\ncase \"$*\" in *-dumpversion*) exec g++ \"$@\";; esac\n"
                         "for source; do :; done\necho \"$source\" >> " +
                             path("builds.log") + "\n" + script + "\nexec $REMEMBERING_CXX \"${@/-O3/-O0}\"\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::size_t builds() const {
        const std::string log = test::read_file(path("builds.log"));
        return static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n'));
    }
    [[nodiscard]] test::ShellResult kasc(const std::string& arguments) const {
        return test::shell("cd " + root + "/examples && CXX=" + path("compiler") +
                           " OMP_NUM_THREADS=1 " KASC_COMMAND " " + arguments);
    }
    /// What stands before the report came on standard error.
    [[nodiscard]] static nlohmann::json report_of(const test::ShellResult& run) {
        const std::size_t begin = std::min(run.output.find('{'), run.output.size());
        return nlohmann::json::parse(run.output.substr(begin), nullptr, false);
    }
    [[nodiscard]] std::string tune(const std::string& more) const {
        return "tune sync_test.kas --target cpu --set n=1024 --jobs 1 --repeats 3 --db " + path("db") + " " + more;
    }
};

TEST_F(TuneTest, MeasuresRanksAndRemembers) {
    use_compiler("");
    const auto first = kasc(tune("--top 3 --export " + path("t4.json")));
    EXPECT_EQ(first.status, 0) << first.output;
    EXPECT_NE(first.output.find("rank correlation"), std::string::npos) << first.output;
    EXPECT_EQ(builds(), 4U);  // three plans and the reference
    const auto t4 = nlohmann::json::parse(test::read_file(path("t4.json")), nullptr, false);
    ASSERT_EQ(t4["results"].size(), 3U);
    for (const auto& result : t4["results"]) {
        EXPECT_EQ(result["invalidity"], "correct");
        EXPECT_EQ(result["times"]["runtimes"].size(), 3U);
    }
    const auto again = kasc(tune("--top 3 --format json"));
    EXPECT_EQ(builds(), 4U);
    const auto report = report_of(again);
    ASSERT_EQ(report["plans"].size(), 3U) << again.output;
    EXPECT_LE(report["plans"][0]["measured_ns"], report["plans"][1]["measured_ns"]);
    EXPECT_GE(report["quality"]["first_over_best"], 1.0);

    const auto compiled = kasc("compile sync_test.kas --target cpu --tuned --db " + path("db") + " -o " + path("out"));
    EXPECT_EQ(compiled.status, 0) << compiled.output;
    EXPECT_NE(compiled.output.find("the best of 3 measured"), std::string::npos) << compiled.output;
    const auto other = kasc("compile rotate_scale.kas --target cpu --tuned --db " + path("db") + " -o " + path("out2"));
    EXPECT_EQ(other.status, 0);
    EXPECT_NE(other.output.find("K0832"), std::string::npos) << other.output;
}

TEST_F(TuneTest, GoesOnAfterAnInterruption) {
    // The reference and four plans are built and measured; at the next plan comes a Ctrl-C.
    use_compiler("[ $(wc -l < " + path("builds.log") + ") = 6 ] && kill -INT $PPID && sleep 5");
    const auto stopped = kasc(tune("--top 5"));
    EXPECT_EQ(stopped.status, 1);
    EXPECT_NE(stopped.output.find("K0814"), std::string::npos) << stopped.output;
    EXPECT_NE(stopped.output.find("after 4 of 5 plans"), std::string::npos) << stopped.output;
    const auto resumed = kasc(tune("--top 5"));
    EXPECT_EQ(resumed.status, 0) << resumed.output;
    EXPECT_NE(resumed.output.find("4 of 5 plans were measured before"), std::string::npos);
    EXPECT_EQ(builds(), 8U);  // the reference again, and the fifth plan
}

TEST_F(TuneTest, FaultyPlansAreResultsToo) {
    use_compiler(
        "case $source in\n"
        "*plan1/*) sed -i 's/] + s_/] - s_/' ${source%/*}/*_kernels.hpp ;;\n"
        "*plan2/*) echo 'static int crash = *(volatile int *)0;' >> $source ;;\n"
        "*plan3/*) echo 'nonsense;' >> $source ;;\n"
        "esac");
    const auto run = kasc(tune("--top 4 --format json"));
    EXPECT_EQ(run.status, 0);
    const auto report = report_of(run);
    ASSERT_EQ(report["plans"].size(), 4U) << run.output;
    const std::vector<std::string> expected{"correct", "correctness", "runtime", "compile"};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(report["plans"][i]["invalidity"], expected[i]) << report["plans"][i];
        EXPECT_EQ(report["plans"][i]["plan"], i + 1);
    }
}

TEST_F(TuneTest, FieldsOfAllTypesAndTransformsAreMeasuredOnAFile) {
    use_compiler("");
    test::write_file(path("probes.kas"),
                     "option filtered = 0; param int steps; param double dt = 0.1;\n"
                     "axis kx = half(x); axis t = steps;\n"
                     "double T[x, y] boundary keep(1), seen[s, t]; uint8 hot[x, y]; int at[s]; float u[x, y];\n"
                     "complex U[kx, y];\n"
                     "input T, at, u;\n"
                     "for (n = 0; n < steps; n++) {\n"
                     "    T = T + dt*laplace2(T, 1);\n"
                     "    seen[t = n] = T[x = at % extent(x), y = at / extent(x)];\n"
                     "    if (filtered) { U = fft(u); u = ifft(U / (1 + kx)); }\n"
                     "}\n"
                     "hot = T > 1 ? 1 : 0;\n"
                     "return seen, hot, u;\n");
    std::vector<float> T(20 * 12), u(20 * 12);
    for (std::size_t i = 0; i < T.size(); ++i) {
        T[i] = static_cast<float>(i * i % 37) / 17;
        u[i] = static_cast<float>(i % 7);
    }
    const std::vector<float> filtered{1};
    const auto write = [&](float last) {
        const std::vector<float> at{0, 21, 100, last};
        return runtime::write_hdf5(
            path("in.h5"), {{"T", {12, 20}, T}, {"u", {12, 20}, u}, {"at", {4}, at}, {"filtered", {}, filtered}}, {});
    };
    ASSERT_TRUE(write(239).empty());
    const std::string probes = path("probes.kas") + " --target cpu --db " + path("db") + " --in " + path("in.h5");
    for (const char* steps : {"3", "8"}) {
        const auto run = kasc("tune " + probes + " --jobs 1 --repeats 2 --top 2 --format json --set steps=" + steps);
        EXPECT_EQ(run.status, 0) << run.output;
        const auto report = report_of(run);
        ASSERT_GE(report["plans"].size(), 1U) << run.output;
        for (const auto& plan : report["plans"]) EXPECT_EQ(plan["invalidity"], "correct") << plan;
    }
    const auto run = kasc("run " + probes + " --tuned --set steps=8 --out " + path("out.h5"));
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("the best of "), std::string::npos) << run.output;
    // The data are examined as those of a run.
    ASSERT_TRUE(write(9999).empty());
    const auto beyond = kasc("tune " + probes + " --top 1 --set steps=8");
    EXPECT_EQ(beyond.status, 0) << beyond.output;
    EXPECT_NE(beyond.output.find("warning[K0742]"), std::string::npos) << beyond.output;
}

/// Lists point to cells of the grid, each entry to another where the program asks for that; what asks for more is
/// refused.
TEST_F(TuneTest, IntegersAreDrawnAsTheProgramUsesThem) {
    use_compiler("");
    test::write_file(path("labels.kas"),
                     "float T[x, y] boundary keep(1), k[m], power[p]; uint8 kind[x, y]; int px[p], py[p];\n"
                     "input T, k, power, kind, px, py;\n"
                     "require(kind < extent(m));\n"
                     "T[x = px, y = py] = power;\n"
                     "T = T + 0.1*k[m = kind]*laplace2(T, 1);\n"
                     "return T;\n");
    const std::string tuned = path("labels.kas") + " --target cpu --db " + path("db") + " --set x=30 --set y=21";
    const auto run = kasc("tune " + tuned + " --set p=40 --set m=5 --jobs 1 --repeats 2 --top 2 --format json");
    ASSERT_EQ(run.status, 0) << run.output;
    const auto report = report_of(run);
    ASSERT_GE(report["plans"].size(), 1U) << run.output;
    for (const auto& plan : report["plans"]) EXPECT_EQ(plan["invalidity"], "correct") << plan;
    const auto too_many = kasc("tune " + tuned + " --set p=900 --set m=5");
    EXPECT_EQ(too_many.status, 2) << too_many.output;
    EXPECT_NE(too_many.output.find("error[K0908]: random integers do not serve: two entries"), std::string::npos)
        << too_many.output;
    EXPECT_NE(too_many.output.find("labels.kas:4"), std::string::npos) << too_many.output;
}

TEST_F(TuneTest, SaysWhatIsWrong) {
    use_compiler("");
    test::write_file(path("db"), "this is no database, and long enough to be told from an empty file");
    const auto damaged = kasc(tune("--top 1"));
    EXPECT_EQ(damaged.status, 1);
    EXPECT_NE(damaged.output.find("K0821"), std::string::npos) << damaged.output;
    EXPECT_EQ(kasc("tune sync_test.kas --top 0").status, 2);
    EXPECT_NE(kasc("tune --help").output.find("Example:"), std::string::npos);
}

}  // namespace
}  // namespace kasc
