// Whole files: every stage of some examples as text, compared to the file beside. KASC_UPDATE_GOLDEN=1 rewrites them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

using Case = std::tuple<std::string, std::string>;

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, StageIsAsRecorded) {
    const auto& [program, stage] = GetParam();
    const std::filesystem::path root = KASC_SOURCE_DIR;
    const auto got = test::shell("cd " + (root / "examples").string() + " && " KASC_COMMAND " compile " + program +
                                 ".kas --steps 1 --emit " + stage);
    ASSERT_EQ(got.status, 0) << got.output;
    const std::filesystem::path file = root / "tests/golden/stages" / program / (stage + ".txt");
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) test::write_file(file, got.output);
    EXPECT_EQ(got.output, test::read_file(file))
        << "in " << file << "; rewrite it with KASC_UPDATE_GOLDEN=1 if this is meant";
}

INSTANTIATE_TEST_SUITE_P(
    Stages, Golden,
    testing::Combine(testing::Values("big_fusion", "sync_test", "matrix_powers", "st_venant_inner", "heat2d", "heat3d"),
                     testing::Values("ast", "program", "graph", "space", "plan", "kernel", "cuda")),
    [](const auto& given) { return std::get<0>(given.param) + "_" + std::get<1>(given.param); });

/// Kernels by their plans: what each word does to the same program.
struct Planned {
    const char *name, *program, *plan;
};
void PrintTo(const Planned& planned, std::ostream* out) { *out << planned.plan; }

class GoldenPlan : public testing::TestWithParam<Planned> {};

TEST_P(GoldenPlan, KernelIsAsRecorded) {
    const std::filesystem::path root = KASC_SOURCE_DIR;
    const auto got = test::shell("cd " + root.string() + " && " KASC_COMMAND " compile " + GetParam().program +
                                 " --emit kernel --plan '" + GetParam().plan + "'");
    ASSERT_EQ(got.status, 0) << got.output;
    const std::filesystem::path file = root / "tests/golden/plans" / (std::string(GetParam().name) + ".txt");
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) test::write_file(file, got.output);
    EXPECT_EQ(got.output, test::read_file(file))
        << "in " << file << "; rewrite it with KASC_UPDATE_GOLDEN=1 if this is meant";
}

INSTANTIATE_TEST_SUITE_P(
    Plans, GoldenPlan,
    testing::Values(
        Planned{"rows", "examples/diffusion.kas", "column 32x8 vector 4 rows 2 chunk 4"},
        Planned{"shared_grid", "examples/heat2d.kas", "grid 32x16 neighbours shared"},
        Planned{"shared_cubes", "examples/diffusion.kas", "grid 8x8x8 vector 4 rows 2 neighbours shared"},
        Planned{"shared_planes", "examples/diffusion.kas", "column 32x8 vector 2 chunk 16 neighbours shared"},
        Planned{"warp", "examples/heat2d.kas", "warp 128x1 vector 1 chunk 16"},
        Planned{"warp_planes", "examples/diffusion.kas", "warp 32x1 vector 4 chunk 8"},
        Planned{"uniform", "tests/run/programs/boundaries.kas",
                "r: grid 32x4x2 vector 1 rows 2 borders cell; d: grid 32x4 vector 1 borders uniform"},
        Planned{"mapped", "tests/run/programs/boundaries.kas", "r+d: grid 8x8x4 vector 1 rows 1 borders mapped"}),
    [](const auto& given) { return given.param.name; });

/// Kernels and hosts in CUDA of programs that are there for them, each a form that the stages above do not have.
struct Emitted {
    const char *program, *plan;
    std::vector<std::string> files;
    const char* options = "";
};
void PrintTo(const Emitted& emitted, std::ostream* out) { *out << emitted.program; }

class GoldenEmitted : public testing::TestWithParam<Emitted> {};

TEST_P(GoldenEmitted, FilesAreAsRecorded) {
    const test::Temporary folder;
    const std::filesystem::path recorded = KASC_SOURCE_DIR "/tests/golden/emitted";
    const std::string program = GetParam().program, plan = GetParam().plan;
    const auto got = test::shell("cd " + recorded.string() + " && " KASC_COMMAND " compile " + program + ".kas " +
                                 (plan.empty() ? "" : "--plan '" + plan + "' ") + GetParam().options + " -o " +
                                 folder.path().string());
    ASSERT_EQ(got.status, 0) << got.output;
    for (const std::string& file : GetParam().files) {
        const std::string text = test::read_file(folder.path() / file);
        if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) test::write_file(recorded / file, text);
        EXPECT_EQ(text, test::read_file(recorded / file))
            << "in " << recorded / file << "; rewrite it with KASC_UPDATE_GOLDEN=1 if this is meant";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, GoldenEmitted,
    testing::Values(
        Emitted{"column",
                "column 32x4 vector 1 rows 1 chunk 8 unroll 1 neighbours registers borders cell",
                {"column_kernels.cuh", "column.cu"}},
        Emitted{"warp",
                "warp 64x1 vector 1 rows 1 chunk 8 unroll 1 neighbours registers borders cell",
                {"warp_kernels.cuh"}},
        Emitted{"fold_all", "", {"fold_all_kernels.cuh"}},
        Emitted{
            "prologue", "total_parts: grid 256x1; total+scale+v: grid 32x8 vector 1 rows 1", {"prologue_kernels.cuh"}},
        Emitted{"last_block",
                "norm_sum: launch last; norm+inverse: launch last",
                {"last_block_kernels.cuh", "last_block.cu"}},
        Emitted{"fold_rows", "highest_parts: grid 32x8; highest: grid 8x32", {"fold_rows_kernels.cuh"}},
        Emitted{"lines", "line 32x8x1 chunk 16", {"lines_kernels.cuh"}},
        Emitted{"across_lines",
                "gradient_sum_parts+gradient_sum+gradient_parts_of_row+gradient_parts: line 32x1x4 chunk 3",
                {"across_lines_kernels.cuh"}},
        Emitted{"convolution", "fft 4x8", {"convolution_kernels.cuh"}},
        Emitted{"storing",
                "u_ifft+u: storing; u_spectrum: grid 32x8 vector 1 rows 1",
                {"storing_kernels.cuh", "storing.cu"}},
        Emitted{"rider",
                "T: grid 32x8 vector 1 rows 1 borders mapped; rec: grid 256x1 vector 1 rows 1",
                {"rider_kernels.cuh"}},
        Emitted{"staged", "staged 128x1", {"staged_kernels.cuh"}},
        Emitted{"histogram",
                "bin+count: histogram 512x1 vector 8 chunk 16 unroll 4",
                {"histogram_kernels.cuh", "histogram.cu"}},
        Emitted{"sums_by_label", "bin+count+total_pieces: histogram 64x1 unroll 8", {"sums_by_label_kernels.cuh"}},
        Emitted{"loop", "loop 64x1 chunk 1 unroll 4", {"loop_kernels.cuh"}},
        Emitted{"line_loop", "loop 32x4 chunk 32 unroll 4", {"line_loop_kernels.cuh"}},
        Emitted{"loop_of_lines",
                "loop.n: loop 64x2 unroll 2; loop.n.2: loop 100x1 unroll 1",
                {"loop_of_lines_kernels.cuh"}},
        Emitted{"steps",
                "T+T.2: pipeline 128x1 rows 1 chunk 8 unroll 1; T.3: grid 32x8 vector 1 rows 1",
                {"steps_kernels.cuh", "steps.cu"},
                "--steps 2"}),
    [](const auto& given) { return given.param.program; });

/// The model decides on remade fields; its numbers are not recorded here.
TEST(GoldenRewrites, WhatRulesSayIsAsRecorded) {
    const std::filesystem::path root = KASC_SOURCE_DIR, file = root / "tests/golden/rewrites/rewrites.txt";
    const auto got = test::shell(KASC_COMMAND " explain " + (root / "tests/run/programs/rewrites.kas").string() +
                                 " --no-rewrite=remake | sed -n '/^rewrites:/,/^$/p'");
    ASSERT_EQ(got.status, 0) << got.output;
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) test::write_file(file, got.output);
    EXPECT_EQ(got.output, test::read_file(file))
        << "in " << file << "; rewrite it with KASC_UPDATE_GOLDEN=1 if this is meant";
}

TEST(Determinism, TheSameCallGivesTheSameBytes) {
    const test::Temporary folder;
    const std::string root = KASC_SOURCE_DIR;
    for (const char* name : {"a", "b"}) {
        const auto run = test::shell("cd " + root + "/examples && " KASC_COMMAND " compile bioheat.kas -o " +
                                     (folder.path() / name).string());
        ASSERT_EQ(run.status, 0) << run.output;
    }
    const auto same = test::shell("diff -r " + (folder.path() / "a").string() + " " + (folder.path() / "b").string());
    EXPECT_EQ(same.status, 0) << same.output;
    const auto leaks = test::shell("grep -rF '" + root + "' " + folder.path().string());
    EXPECT_NE(leaks.status, 0) << "a path of this machine in emitted files: " << leaks.output;
}

}  // namespace
}  // namespace kasc
