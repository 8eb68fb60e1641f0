// How a grid is cut in blocks: their cells, overlaps, and whose the cells in overlaps are.
#include "basis/blocks.hpp"

#include <gtest/gtest.h>

namespace kasc::basis {
namespace {

const AxisId x{0}, y{1}, z{2};

Program program_of(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? *program : Program{};
}
Program waves() {
    return program_of(
        "axis x = 4; axis y = 4; axis z = 4; axis kx = half(x); axis t = 2;\n"
        "float u[x, y, z], v[x, y, z], s[t];\n"
        "u = x + y + z; v = ifft(fft(u)); s = t;\n"
        "return v, s;\n");
}
Outcome<Blocks> blocks(const std::vector<long long>& cells, const BasisRequest& request) {
    std::vector<long long> extents = cells;
    extents.insert(extents.end(), {2, cells[0] / 2 + 1});
    return blocks_of(waves(), extents, request);
}

TEST(Blocks, AreAlikeAndHaveNoLargeFactor) {
    const auto made = blocks({90, 80, 70}, {16, {2, 2}, 4});
    ASSERT_TRUE(made) << render_text(made.diagnostics);
    ASSERT_EQ(made->axes.size(), 2U);
    const CutAxis& along_x = made->axes[0];
    EXPECT_EQ(along_x.extended, 80);  // 45 and 32 would be 77 = 7 * 11
    EXPECT_EQ(made->axes[1].extended, 72);
    for (const int block : {0, 1}) {
        const BlockPart part = part_of(along_x, block);
        EXPECT_EQ(part.first, 45 * block);
        EXPECT_EQ(part.own, 45);
        EXPECT_EQ(part.low, 17);
        EXPECT_EQ(part.high, 18);
    }
}

TEST(Blocks, CellsOfOverlapsAreWhereTheyBelong) {
    const CutAxis cut{x, 23, 3, 4, 16};  // blocks of 7, 8, 8
    for (int block = 0; block < cut.blocks; ++block) {
        const BlockPart own = part_of(cut, block);
        EXPECT_GE(own.low, cut.overlap);
        EXPECT_GE(own.high, cut.overlap);
        long long next = 0;
        for (const Segment& segment : segments_of(cut, block)) {
            EXPECT_EQ(segment.here, next);
            next += segment.cells;
            const BlockPart of = part_of(cut, segment.block);
            EXPECT_GE(segment.there, of.low);
            EXPECT_LE(segment.there + segment.cells, of.low + of.own);
            // The same cell of the grid from both.
            const long long here = (own.first - own.low + segment.here + cut.cells) % cut.cells;
            EXPECT_EQ(here, of.first - of.low + segment.there);
            if (segment.block == block) {
                EXPECT_EQ(segment.here, own.low);
                EXPECT_EQ(segment.cells, own.own);
            }
        }
        EXPECT_EQ(next, cut.extended);
    }
}

TEST(Blocks, RanksCountAlongTheFirstAxisFirst) {
    Blocks made;
    made.axes = {{x, 64, 2, 4, 40}, {y, 64, 3, 4, 32}, {z, 64, 2, 4, 40}};
    EXPECT_EQ(made.count(), 12);
    EXPECT_EQ(made.of_rank(1), (std::vector<int>{1, 0, 0}));
    EXPECT_EQ(made.of_rank(7), (std::vector<int>{1, 0, 1}));
    for (int rank = 0; rank < 12; ++rank) EXPECT_EQ(made.rank_of(made.of_rank(rank)), rank);
}

TEST(Blocks, ChosenOnesHaveTheFewestCells) {
    const auto cube = blocks({256, 256, 256}, {16, {}, 8});
    ASSERT_TRUE(cube);
    ASSERT_EQ(cube->axes.size(), 2U);  // 256 x 160 x 96 cells, of 2x2x2 blocks 160 x 160 x 160
    EXPECT_EQ(cube->axes[0].blocks * cube->axes[1].blocks, 8);
    const auto flat = blocks({512, 64, 1}, {8, {}, 4});
    ASSERT_TRUE(flat);
    ASSERT_EQ(flat->axes.size(), 1U);
    EXPECT_EQ(flat->axes[0].axis, x);
    EXPECT_EQ(flat->axes[0].blocks, 4);
}

TEST(Blocks, WhatDoesNotFitIsRefused) {
    const auto code = [](const Outcome<Blocks>& made) { return made ? "" : made.diagnostics.front().code; };
    EXPECT_EQ(code(blocks({63, 48, 64}, {16, {2, 2, 2}, 8})), "K0928");  // 24 and 32 are more than 48
    EXPECT_EQ(code(blocks({64, 64, 64}, {16, {2, 2, 2}, 4})), "K0927");
    EXPECT_EQ(code(blocks({64, 64, 64}, {16, {2, 2, 2, 1}, 8})), "K0927");
    EXPECT_EQ(code(blocks({32, 32, 32}, {16, {}, 8})), "K0928");
    const Program none = program_of("axis x = 4; float u[x]; u = x; return u;\n");
    EXPECT_EQ(code(blocks_of(none, {4}, {4, {}, 2})), "K0928");
}

TEST(Blocks, ExtentsOfHalfSpectraFollow) {
    const Program program = waves();
    const auto made = blocks({90, 80, 70}, {16, {2, 2}, 4});
    EXPECT_EQ(block_extents(program, {90, 80, 70, 2, 46}, *made), (std::vector<long long>{80, 72, 70, 2, 41}));
    EXPECT_EQ(blocks_text(program, {90, 80, 70, 2, 46}, *made),
              "2x2x1 blocks of x, y, z: 45 x 40 x 70 cells, with their overlaps 80 x 72 x 70");
}

}  // namespace
}  // namespace kasc::basis
