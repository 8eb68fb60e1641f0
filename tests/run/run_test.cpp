// Every emitted kernel runs on the CPU in checking mode: a GPU's plan, threads in adversarial orders, shared memory
// shadowed, bounds and unwritten words checked; and its results equal the reference bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kasc/kasc.hpp"
#include "support/of_the_day.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> programs() {
    std::vector<fs::path> all;
    for (const char* folder : {"examples", "tests/run/programs"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / folder)) {
            if (entry.path().extension() == ".kas") all.push_back(entry.path());
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Sizes that leave partial tiles and, for fields, take both the vector and the scalar alternatives; where cells are
/// folded, also several parts of them.
std::vector<std::string> sizes(const std::string& source) {
    if (source.find('[') == std::string::npos) return {"n=1", "n=77", "n=1000"};
    std::vector<std::string> all{"nx=7 ny=6 nz=5 frames=2 steps=3 px=3 py=3 pz=2 nchain=7 nbody=6 sweeps=4 most=30",
                                 "nx=32 ny=9 nz=11 frames=2 steps=4 px=3 py=2 pz=2 nchain=36 nbody=3 sweeps=3 most=21"};
    if (source.find(" = sum(") != std::string::npos)
        all.emplace_back("nx=37 ny=19 nz=23 np=5 frames=2 nchain=20 nbody=9 most=11");
    return all;
}

/// Keeps only those arguments that the program has.
std::string known_arguments(const std::string& arguments, const std::string& header) {
    std::string kept;
    std::stringstream words(arguments);
    for (std::string word; words >> word;) {
        const std::string name = word.substr(0, word.find('='));
        if (header.find(" " + name + ";") != std::string::npos) kept += " " + word;
    }
    return kept;
}

class Run : public testing::TestWithParam<fs::path> {};

/// Builds the first plan in checking mode and runs it at all sizes.
void check(const std::string& source, const fs::path& path, api::Options options) {
    options.target = api::Target::cpu_checking;
    options.library_folders = {std::string(KASC_SOURCE_DIR) + "/tests/run/library"};
    const std::string what = options.strategy + " " + options.plan + (options.no_rewrite.empty() ? "" : " as written") +
                             (options.rewrite.empty() ? "" : " by waves");
    const api::Result result = api::compile(source, path.filename().string(), options);
    ASSERT_TRUE(result.ok) << what << result.diagnostics;
    const test::Temporary folder;
    std::string header;
    for (const api::File& file : result.plans.front().files) {
        test::write_file(folder.path() / file.name, file.text);
        if (file.name == path.stem().string() + ".h") header = file.text;
    }
    const std::string p = (folder.path() / path.stem()).string();
    // Each by itself: the reference and the main program are the same for many plans (tests/remember.sh).
    std::string link = "$CXX -o " + p;
    for (const char* part : {"", "_reference", "_main"}) {
        const auto compiled =
            test::shell("$CXX -include " STANDARD_HEADERS " -std=c++17 -O0 -w -ffp-contract=off -c -o " + p + part +
                        ".o " + p + part + ".cpp");
        ASSERT_EQ(compiled.status, 0) << compiled.output;
        link += " " + p + part + ".o";
    }
    const auto built = test::shell(link + " -lfftw3f -lfftw3");
    ASSERT_EQ(built.status, 0) << built.output;
    int seed = 1;
    for (const std::string& arguments : sizes(source)) {
        const auto run =
            test::shell("KASC_SEED=" + std::to_string(seed++) + " " + p + known_arguments(arguments, header));
        EXPECT_EQ(run.status, 0) << what << ", " << arguments << ": " << run.output;
        EXPECT_NE(run.output.find("all words equal the reference"), std::string::npos) << run.output;
    }
}

TEST_P(Run, EqualsTheReferenceInCheckingMode) {
    const std::string source = test::read_file(GetParam());
    check(source, GetParam(), {});
    // Unfused kernels are simple and many.
    if (std::getenv("KASC_FULL") != nullptr) {
        api::Options unfused;
        unfused.strategy = "none";
        check(source, GetParam(), unfused);
    }
    if (source.find(" = sum(") != std::string::npos || source.find("along the first axis") != std::string::npos) {
        // Lanes of a CPU's walk lie in rows; loops along them are a core's.
        api::Options cpu;
        cpu.device = "cpu";
        check(source, GetParam(), cpu);
    }
    if (source.find("--rewrite=modes") != std::string::npos) {
        api::Options modes;
        modes.rewrite = {"modes"};
        check(source, GetParam(), modes);
        modes.device = "cpu";
        check(source, GetParam(), modes);
    }
    if (source.find("fft(") == std::string::npos) return;
    // Rules take transforms away that a plan must get right as well.
    api::Options as_written;
    as_written.no_rewrite = {"all"};
    check(source, GetParam(), as_written);
}

/// Kernels that the search seldom takes, in checking mode: shared tiles and planes, rows, each way to treat borders.
struct Planned {
    const char *program, *plan;
    const char* lists = "priced";
};
/// In the names of tests, where an address would change them from run to run.
void PrintTo(const Planned& planned, std::ostream* out) {
    *out << fs::path(planned.program).stem().string() << ": " << planned.plan << " " << planned.lists;
}

class RunPlan : public testing::TestWithParam<Planned> {};

TEST_P(RunPlan, EqualsTheReferenceInCheckingMode) {
    const fs::path path = fs::path(KASC_SOURCE_DIR) / GetParam().program;
    api::Options options;
    options.plan = GetParam().plan;
    options.lists = GetParam().lists;
    check(test::read_file(path), path, options);
}

const std::vector<Planned> plans{
    Planned{"examples/heat2d.kas", "grid 16x4 vector 4 neighbours shared"},
    Planned{"examples/heat2d.kas", "column 8x1 vector 4 chunk 5 neighbours shared"},
    Planned{"examples/diffusion.kas", "grid 8x4x2 neighbours shared borders uniform"},
    Planned{"examples/diffusion.kas", "column 4x2 vector 2 rows 2 chunk 3 neighbours shared"},
    Planned{"examples/diffusion.kas", "column 4x2 vector 4 rows 3 chunk 4 unroll 2"},
    Planned{"tests/run/programs/boundaries.kas", "r+d: grid 4x2x2 vector 1 rows 2 borders mapped"},
    Planned{"tests/run/programs/boundaries.kas", "column 8x2 vector 1 chunk 4 neighbours shared"},
    Planned{"tests/run/programs/boundaries.kas", "r+d: column 4x4 vector 1 rows 2 chunk 3 borders uniform"},
    Planned{"examples/bioheat.kas", "grid 4x4x2 vector 4 rows 2"},
    Planned{"examples/hyperthermia.kas", "grid 4x2 vector 2 rows 2 borders uniform"},
    Planned{"examples/hyperthermia.kas", "column 2x2 vector 4 chunk 3"},
    Planned{"examples/hyperthermia.kas", "lap+T+dose.2: grid 4x4x2 vector 4 neighbours shared"},
    Planned{"tests/run/programs/inner_loops.kas", "loop 32x1 chunk 1 unroll 4"},
    Planned{"tests/run/programs/inner_loops.kas", "loop 4x2 chunk 4 unroll 2"},
    Planned{"tests/run/programs/line_loops.kas", "loop 8x1 chunk 4 unroll 2"},
    Planned{"tests/run/programs/line_loops.kas", "loop 4x2 chunk 8 unroll 4"},
    Planned{"tests/run/programs/line_loops.kas", "loop 8x1 chunk 1 unroll 4"},
    Planned{"tests/run/programs/loops_of_lines.kas", "loop 37x2 unroll 3"},
    Planned{"tests/run/programs/loops_of_lines.kas", "loop 8x4 unroll 1"},
    Planned{"tests/run/programs/running_sums.kas", "scan 1x32"},
    Planned{"tests/run/programs/running_sums.kas",
            "columns: scan 16x2; products: scan 256x1; line: scan 256x1; counts: scan 16x4"},
    Planned{"tests/run/programs/cell_loops.kas", "loop 3x1 chunk 1 unroll 1"},
    Planned{"tests/run/programs/cell_conditions.kas", "loop 32x1 chunk 1 unroll 4"},
    Planned{"tests/run/programs/cells.kas", "", "cells"},
    Planned{"tests/run/programs/listed.kas", "", "cells"},
    Planned{"tests/run/programs/listed.kas", "T: grid 4x2x2 vector 4", "cells"},
    Planned{"tests/run/programs/shorts.kas", "grid 4x2x2 vector 4 rows 2"},
    Planned{"tests/run/programs/shorts.kas", "grid 8x4x2 vector 2 neighbours shared"},
    Planned{"tests/run/programs/shorts.kas", "column 4x2 vector 4 rows 2 chunk 3"},
    Planned{"tests/run/programs/typed.kas", "grid 8x4 vector 2"},
    Planned{"tests/run/programs/typed.kas", "grid 4x2 vector 4 rows 2"},
    Planned{"tests/run/programs/typed.kas", "plane: grid 8x4; grid 4x2x2 vector 1 rows 3 borders uniform"},
    Planned{"tests/run/programs/typed.kas", "plane: grid 8x4; column 4x2 vector 2 rows 2 chunk 3"},
    Planned{"tests/run/programs/typed.kas",
            "plane: grid 8x4; column 4x2 vector 1 rows 2 chunk 2 unroll 2 borders mapped"},
    Planned{"tests/run/programs/typed.kas",
            "flux: grid 8x2 vector 2 neighbours shared; plane: grid 8x4; column 8x2 vector 1"},
    Planned{"tests/run/programs/typed.kas", "plane: grid 8x4; grid 8x2x2 vector 4 neighbours shared"},
    Planned{"tests/run/programs/typed.kas", "plane: grid 8x4; column 4x4 vector 2 rows 2 chunk 3 neighbours shared"},
    Planned{"tests/run/programs/doubles.kas", "T+dose.2+hottest.2: column 4x4 vector 4 chunk 3 neighbours shared"},
    Planned{"tests/run/programs/histograms.kas",
            "bin: grid 32x1; total: grid 32x1; by_part: grid 32x1; both: grid 32x1; series: grid 32x1; "
            "histogram 32x1 vector 1 chunk 2 unroll 1"},
    Planned{"tests/run/programs/sums_by_label.kas", "histogram 64x1 unroll 3"},
    Planned{"tests/run/programs/storing.kas",
            "u_spectrum_fft+u_spectrum: storing; u_ifft+u+p: storing; v_spectrum_fft+v_spectrum: storing; "
            "v_ifft+v.2+w: storing"},
    Planned{"tests/run/programs/storing.kas", "u_ifft+u: storing; v_ifft+v.2: storing"},
    Planned{"tests/run/programs/recorded.kas", "u+p: grid 4x4x2", "cells"},
    Planned{"tests/run/programs/recorded.kas", "", "kernels"}};

INSTANTIATE_TEST_SUITE_P(Plans, RunPlan, testing::ValuesIn(test::of_the_day(plans)));

INSTANTIATE_TEST_SUITE_P(Programs, Run, testing::ValuesIn(test::of_the_day(programs())),
                         [](const auto& given) { return given.param.stem().string(); });

}  // namespace
}  // namespace kasc
