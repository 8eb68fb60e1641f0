// The command as a user meets it: help, version, exit statuses, whole runs.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "support/of_the_day.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const std::string root = KASC_SOURCE_DIR;

test::ShellResult kasc(const std::string& arguments) {
    return test::shell("cd " + root + "/examples && " KASC_COMMAND " " + arguments);
}

TEST(Command, HelpTeaches) {
    const auto help = kasc("--help");
    EXPECT_EQ(help.status, 0);
    for (const char* word : {"compile", "run", "view", "explain", "check-lib", "Exit status"})
        EXPECT_NE(help.output.find(word), std::string::npos) << word;
    EXPECT_NE(kasc("compile --help").output.find("Example:"), std::string::npos);
    EXPECT_NE(kasc("check-lib --help").output.find("Example:"), std::string::npos);
    EXPECT_NE(kasc("view --help").output.find("Example:"), std::string::npos);
}

TEST(CheckLib, FindsNoFaultInTheElementLibrary) {
    const auto run = kasc("check-lib");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("all is well"), std::string::npos) << run.output;
    // The functions below declare whole matrices of which they read a part: so they take them from registers of the
    // calls before.
    std::size_t warnings = 0;
    for (std::size_t at = 0; (at = run.output.find("warning[", at)) != std::string::npos; ++at) ++warnings;
    EXPECT_EQ(warnings, 3U) << run.output;
    for (const char* name : {"eigsym33_1", "trace33_1", "trace33_2"}) {
        const std::string expected = std::string("warning[K0412]: compute of ") + name + " never reads";
        EXPECT_NE(run.output.find(expected), std::string::npos) << name << run.output;
    }
}

TEST(CheckLib, APublishedFileHasTheReferenceOfKascsOwnLibrary) {
    const auto run = kasc("check-lib ../tests/run/library --format json");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("\"function\": \"svmul3\""), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("\"implementations\": 1"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("\"reference\": true"), std::string::npos) << run.output;
}

/// vdot3 as a file in the published format has it: products and sums by themselves, where kasc's reference has fmaf.
constexpr const char* published_vdot3 = R"(
/*# vdot3_9_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vdot3_9_load_1(vector3 a, float *s_a, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_a[APLS + k] = a[(bx * VDOT3_9_BX + tx) * 3 + k];
}
/*# vdot3_9_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vdot3_9_load_2(vector3 b, float *s_b, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_b[APLS + k] = b[(bx * VDOT3_9_BX + tx) * 3 + k];
}
/*# vdot3_9_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vdot3_9_save(float *s_r, scalar r, int tx, int bx) { r[bx * VDOT3_9_BX + tx] = s_r[APLS]; }
__device__ inline void d_vdot3_9_compute(float *s_a, float *s_b, float *s_r, int tx) {
    s_r[APOUT] = s_a[APIN0] * s_b[APIN1] + s_a[APIN0 + 1] * s_b[APIN1 + 1] + s_a[APIN0 + 2] * s_b[APIN1 + 2];
}
/*# vdot3_9 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 64)
BY = 1
BZ = 1
BATCH = size
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
)";

TEST(CheckLib, RoundingsAreAWarningUntilTheyAreStated) {
    const test::Temporary folder;
    const std::string lib = (folder.path() / "lib").string();
    test::write_file(folder.path() / "lib/vdot3.cu", published_vdot3);
    const auto warned = kasc("check-lib " + lib);
    EXPECT_EQ(warned.status, 0) << warned.output;
    EXPECT_NE(warned.output.find("warning[K0418]: compute of vdot3_9 differs from its reference by roundings"),
              std::string::npos)
        << warned.output;
    EXPECT_NE(warned.output.find("state 'Accuracy = 5e-7'"), std::string::npos) << warned.output;
    // As the help says.
    test::write_file(folder.path() / "lib/block.cu",
                     "/*# vdot3 metadata\nArguments = vector3, vector3\nResult = scalar\nAccuracy = 5e-7\n#*/\n");
    const auto stated = kasc("check-lib " + lib);
    EXPECT_EQ(stated.status, 0) << stated.output;
    EXPECT_EQ(stated.output.find("K0418"), std::string::npos) << stated.output;
    // A program is compared so on the CPU, too, whose reference adds otherwise.
    test::write_file(folder.path() / "dot.kas", "vector3 a, b; scalar s; input a, b; s = vdot3(a, b); return s;\n");
    const std::string out = (folder.path() / "out").string();
    const auto compiled =
        kasc("compile " + (folder.path() / "dot.kas").string() + " --target cpu --lib " + lib + " -o " + out);
    ASSERT_EQ(compiled.status, 0) << compiled.output;
    EXPECT_NE(test::read_file(out + "/dot_main.cpp").find("relative = 5.000e-06"), std::string::npos);
    // More than that is an error all the same.
    std::string wrong = published_vdot3;
    wrong.replace(wrong.find("s_b[APIN1 + 2]"), 14, "s_b[APIN1 + 1]");
    test::write_file(folder.path() / "lib/vdot3.cu", wrong);
    const auto refused = kasc("check-lib " + lib);
    EXPECT_EQ(refused.status, 1) << refused.output;
    EXPECT_NE(refused.output.find("error[K0418]"), std::string::npos) << refused.output;
}

TEST(CheckLib, TheCompilersWordsComeOnce) {
    const test::Temporary folder;
    std::string text = published_vdot3;
    text.replace(text.find("s_r[APOUT] = "), 13, "s_r[APOUT] = helper() + ");
    for (std::size_t at = 0; (at = text.find("vdot3_9", at)) != std::string::npos; at += 8)
        text.replace(at, 7, "first3_1");
    for (std::size_t at = 0; (at = text.find("VDOT3_9", at)) != std::string::npos; at += 8)
        text.replace(at, 7, "FIRST3_1");
    std::string second = text;
    for (std::size_t at = 0; (at = second.find("first3_1", at)) != std::string::npos; at += 9)
        second.replace(at, 8, "second3_1");
    for (std::size_t at = 0; (at = second.find("FIRST3_1", at)) != std::string::npos; at += 9)
        second.replace(at, 8, "SECOND3_1");
    test::write_file(folder.path() / "lib/both.cu",
                     "__device__ inline float helper() { return no_such_thing; }\n" + text + second);
    const auto run = kasc("check-lib " + (folder.path() / "lib").string());
    EXPECT_EQ(run.status, 1) << run.output;
    std::size_t told = 0, faults = 0;
    for (std::size_t at = 0; (at = run.output.find("error: ", at)) != std::string::npos; ++at) ++told;
    for (std::size_t at = 0; (at = run.output.find("error[K0423]", at)) != std::string::npos; ++at) ++faults;
    EXPECT_EQ(faults, 2U) << run.output;
    EXPECT_EQ(told, 1U) << run.output;
    EXPECT_NE(run.output.find("for the reasons that are told above"), std::string::npos) << run.output;
}

TEST(CheckLib, FaultsGiveStatusOne) {
    const std::string folder = "check-lib ../tests/golden/diagnostics/check ";
    const auto run = kasc(folder + "--function wrong_value --diagnostics json");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.output.find("\"code\": \"K0418\""), std::string::npos) << run.output;
    EXPECT_EQ(kasc(folder + "--function no_such").status, 2);
    EXPECT_EQ(kasc("check-lib no_such_folder").status, 1);
}

TEST(Command, VersionIsOneLine) {
    const auto version = kasc("--version");
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.output, "kasc " KASC_VERSION "\n");
}

TEST(Command, ExitStatusSaysWhoseFaultItIs) {
    EXPECT_EQ(kasc("").status, 2);
    EXPECT_EQ(kasc("compile big_fusion.kas").status, 2);
    EXPECT_EQ(kasc("compile big_fusion.kas -o /tmp/x --strategy best").status, 2);
    EXPECT_EQ(kasc("compile no_such.kas -o /tmp/x").status, 1);
    EXPECT_EQ(kasc("compile big_fusion.kas --emit cuda --device no_such").status, 1);
    EXPECT_EQ(kasc("compile big_fusion.kas --emit cuda --set nn=3").status, 2);
    EXPECT_EQ(kasc("compile big_fusion.kas --emit plan").status, 0);
}

TEST(Command, DiagnosticsAsJson) {
    const auto run = kasc("compile no_such.kas -o /tmp/x --diagnostics json");
    EXPECT_NE(run.output.find("\"code\": \"K0700\""), std::string::npos) << run.output;
}

double cpu_seconds(const rusage& r) {
    return static_cast<double>(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/// How many times longer this machine takes now than one whose cores do 3.5 GHz and nothing else: for names in a map,
/// work like a compiler's.
double slowness() {
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    std::map<std::string, unsigned> counts;
    unsigned state = 1;
    for (int i = 0; i < 100'000; ++i) {
        state = state * 1664525U + 1013904223U;
        counts[std::to_string(state % 50'000U) + "_value"] += state;
    }
    getrusage(RUSAGE_SELF, &after);
    constexpr double there = 0.028;
    return std::max(1.0, (cpu_seconds(after) - cpu_seconds(before)) / there);
}

/// CPU seconds of what `run` starts, on that machine.
template <class Run>
double cpu_seconds(Run run, rusage& after) {
    const double slow_before = slowness();
    rusage before{};
    getrusage(RUSAGE_CHILDREN, &before);
    run();
    getrusage(RUSAGE_CHILDREN, &after);
    return (cpu_seconds(after) - cpu_seconds(before)) / std::max(slow_before, slowness());
}

TEST(Command, CompilesAnyExampleWithinBounds) {
    std::vector<std::filesystem::path> examples;
    for (const auto& entry : std::filesystem::directory_iterator(root + "/examples"))
        if (entry.path().extension() == ".kas") examples.push_back(entry.path());
    std::sort(examples.begin(), examples.end());
    for (const std::filesystem::path& example : test::of_the_day(examples)) {
        rusage after{};
        [[maybe_unused]] const double seconds =
            cpu_seconds([&] { ASSERT_EQ(kasc("compile " + example.string() + " --emit cuda").status, 0); }, after);
#ifdef NDEBUG
        EXPECT_LT(seconds, 2.0) << example;  // what any program of thirty statements may take
#endif
        EXPECT_LT(after.ru_maxrss, 100 * 1024) << example;
    }
}

/// Every call reads the results of two of the six calls before it.
std::string program_of(int calls) {
    std::string declared = "matrix3x3 A, B", text;
    std::vector<std::string> values{"A", "B"};
    unsigned state = 1;
    const auto draw = [&](std::size_t n) { return (state = state * 1664525U + 1013904223U) / 65536U % n; };
    for (int k = 0; k < calls; ++k) {
        const std::size_t last = std::min<std::size_t>(6, values.size());
        const std::string a = values[values.size() - 1 - draw(last)], b = values[values.size() - 1 - draw(last)];
        const std::string x = "x" + std::to_string(k);
        declared += ", " + x;
        text += x + " = " + (draw(2) == 0 ? "mmul33(" : "madd33(") + a + ", " + b + ");\n";
        values.push_back(x);
    }
    return declared + ";\ninput A, B;\n" + text + "return " + values.back() + ";\n";
}

TEST(Command, CompilesLargeProgramsWithinBounds) {
    for (const auto& [calls, most] : {std::pair{30, 2.0}, std::pair{100, 10.0}}) {
        const test::Temporary folder;
        const std::string file = (folder.path() / "large.kas").string();
        std::ofstream(file) << program_of(calls);
        rusage after{};
        std::string said;
        [[maybe_unused]] const double seconds = cpu_seconds(
            [&] {
                const auto run = kasc("compile " + file + " -o " + folder.path().string() + "/out");
                EXPECT_EQ(run.status, 0) << run.output;
                said = run.output;
            },
            after);
#ifdef NDEBUG
        EXPECT_LT(seconds, most) << calls << " calls";
#endif
        EXPECT_NE(said.find("no selection with another is faster by more than"), std::string::npos) << said;
    }
}

TEST(Command, TheProgramBesideItHasNothingUnused) {
    const test::Temporary folder;
    const std::string at = folder.path().string();
    for (const char* type : {"int", "int64", "uint8", "float"}) {
        test::write_file(folder.path() / "p.kas", fmt::format("{} s[x]; input s; s = 2*s; return s;\n", type));
        ASSERT_EQ(kasc("compile " + at + "/p.kas --target cpu --force -o " + at + "/out").status, 0);
        const auto built =
            test::shell("cd " + at + "/out && g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only p_main.cpp");
        EXPECT_EQ(built.status, 0) << type << built.output;
    }
}

TEST(Command, CompileWritesTheWholeFolder) {
    const test::Temporary folder;
    const std::string out = (folder.path() / "deep" / "out").string();
    ASSERT_EQ(kasc("compile big_fusion.kas -o " + out).status, 0);
    for (const char* file : {"big_fusion.h", "big_fusion.cu", "big_fusion_kernels.cuh", "big_fusion_main.cpp",
                             "CMakeLists.txt", "kasc_device.cuh"}) {
        EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
    }
    EXPECT_NE(kasc("compile big_fusion.kas -o /proc/none/out").status, 0);
}

TEST(Command, FusesStVenantInnerToItsMinimum) {
    const auto run = kasc("explain st_venant_inner.kas --format text");  // 208 B for each of 2097152 elements
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.output.find("7 calls fused"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("global traffic: 436.2 MB"), std::string::npos) << run.output;
}

TEST(Command, ComparesAsFarAsTheLibraryIsExact) {
    const test::Temporary folder;
    const std::string out = folder.path().string();
    ASSERT_EQ(kasc("compile neo_hookean_energy.kas -o " + out + "/a").status, 0);
    EXPECT_NE(test::read_file(out + "/a/neo_hookean_energy_main.cpp").find("relative = 1.000e-05)"), std::string::npos);
    ASSERT_EQ(kasc("compile strain_energy.kas -o " + out + "/b").status, 0);
    EXPECT_NE(test::read_file(out + "/b/strain_energy_main.cpp").find("relative = 0.0)"), std::string::npos);
    // Accuracy holds on every machine: an implementation may add in another order than its reference.
    ASSERT_EQ(kasc("compile neo_hookean_energy.kas --target cpu -o " + out + "/c").status, 0);
    EXPECT_NE(test::read_file(out + "/c/neo_hookean_energy_main.cpp").find("relative = 1.000e-05)"), std::string::npos);
}

TEST(Command, TopWritesNumberedFoldersAndATable) {
    const test::Temporary folder;
    const auto run = kasc("compile big_fusion.kas --top 3 -o " + folder.path().string());
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "3" / "big_fusion.cu"));
    EXPECT_NE(run.output.find("predicted"), std::string::npos);
}

TEST(Command, ExplainNamesReasons) {
    const auto text = kasc("explain big_fusion.kas");
    EXPECT_EQ(text.status, 0);
    for (const char* word : {"registers", "barrier", "next best", "predicted"})
        EXPECT_NE(text.output.find(word), std::string::npos) << word << "\n" << text.output;
    const auto json = kasc("explain big_fusion.kas --format json");
    EXPECT_EQ(json.output.front(), '{');
}

TEST(Command, RunsTissueOnTheCpuAndChecksIt) {
    const test::Temporary folder;
    const std::string in = (folder.path() / "in.h5").string(), out = (folder.path() / "out.h5").string(),
                      png = (folder.path() / "hot.png").string();
    const auto made = test::shell(MAKE_TISSUE " --size 32 --steps 20 -o " + in);
    ASSERT_EQ(made.status, 0) << made.output;
    const std::string common =
        "run bioheat.kas --target cpu --in " + in + " --set steps=5 --set px=3 --set py=4 --set pz=5";
    const auto run = kasc(common + " --out " + out + " --picture hottest=" + png);
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_GT(std::filesystem::file_size(png), 1000U);
    EXPECT_EQ(test::read_file(out).substr(1, 3), "HDF");
    const auto checked = kasc(common + " --check --out " + (folder.path() / "checked.h5").string());
    ASSERT_EQ(checked.status, 0) << checked.output;
    EXPECT_NE(checked.output.find("bit for bit"), std::string::npos) << checked.output;
    EXPECT_EQ(test::shell("cmp " + out + " " + (folder.path() / "checked.h5").string()).status, 0);
}

TEST(Command, ThreadsOfEmittedCodeWaitBriefly) {
    // What a child of kasc sees is what the OpenMP library sees that comes with emitted code.
    const test::Temporary folder;
    const std::string in = (folder.path() / "in.h5").string(), seen = (folder.path() / "seen").string();
    ASSERT_EQ(test::shell(MAKE_TISSUE " --size 32 --steps 2 -o " + in).status, 0);
    const std::string compiler = (folder.path() / "cxx").string();
    test::write_file(compiler, "#!/bin/sh\necho \"spins ${GOMP_SPINCOUNT-not set}\" > " + seen + "\nexec g++ \"$@\"\n");
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    for (const auto& [environment, spins] :
         {std::pair("env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT ", "spins 1000\n"),
          std::pair("env -u OMP_WAIT_POLICY GOMP_SPINCOUNT=7 ", "spins 7\n"),
          std::pair("env -u GOMP_SPINCOUNT OMP_WAIT_POLICY=active ", "spins not set\n")}) {
        const auto run =
            test::shell(std::string(environment) + "CXX=" + compiler + " " KASC_COMMAND " run " + root +
                        "/examples/bioheat.kas --target cpu --set steps=2 --set px=3 --set py=3 --set pz=3 --in " + in +
                        " --out " + (folder.path() / "o.h5").string());
        EXPECT_EQ(test::read_file(seen), spins) << run.output;
    }
}

TEST(Command, FaultsOfARunAreDiagnosed) {
    const test::Temporary folder;
    const std::string in = (folder.path() / "in.h5").string(), out = (folder.path() / "out.h5").string();
    ASSERT_EQ(test::shell(MAKE_TISSUE " --size 32 --steps 20 -o " + in).status, 0);
    const std::string common = "run bioheat.kas --target cpu --in " + in + " --out " + out;
    const auto outside = kasc(common + " --set steps=2 --set px=400");
    EXPECT_EQ(outside.status, 1);
    EXPECT_NE(outside.output.find("error[K0746]: the position 'px'"), std::string::npos) << outside.output;
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_NE(kasc(common + " --set steps=2 --set px=3 --set py=3 --set pz=3 --set dt=9").output.find("unstable"),
              std::string::npos);
    EXPECT_NE(test::shell("cd " + root + "/examples && PATH=/nowhere CXX= " KASC_COMMAND " " + common +
                          " --set steps=2 --set px=3 --set py=3 --set pz=3")
                  .output.find("no C++ compiler found"),
              std::string::npos);
    EXPECT_EQ(kasc("run bioheat.kas --target cpu --in " + in + " --out /proc/none/x.h5").status, 1);
    EXPECT_EQ(kasc("run bioheat.kas --target cpu --in /no/such.h5 --out " + out).status, 1);
}

}  // namespace
}  // namespace kasc
