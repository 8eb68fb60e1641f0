// What a block computes in place of a statement, and what blocks refuse, with the reason.
#include "basis/local_program.hpp"

#include <gtest/gtest.h>

#include "basis/domains.hpp"
#include "rewrite/statements.hpp"

namespace kasc::basis {
namespace {

const std::string head =
    "axis x = 64; axis y = 60; axis kx = half(x); axis t = 9;\n"
    "float u[x, y] boundary periodic, v[x, y], w[x, y] boundary mirror, profile[x], rec[s, t], most[s], one[t], "
    "all[];\n"
    "float k[kx, y], factor[y], spread[kx, y]; complex U[kx, y], V[kx, y]; int px[s], py[s], moving[s];\n"
    "param float c = 2; param int steps = 4;\n"
    "function wave(i, n) = i < (n + 1) / 2 ? i : i - n;\n"
    "input px, py, v;\n";

class LocalPrograms : public testing::Test {
protected:
    static Outcome<LocalProgram> made(const std::string& body, const std::string& before = head) {
        const auto program = read_program(make_source("case.kas", before + body), Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        if (!program) return failure<LocalProgram>(program.diagnostics);
        std::vector<long long> extents;
        for (const Axis& axis : program->axes)
            extents.push_back(axis.name == "x" ? 64 : axis.name == "y" ? 60 : axis.name == "kx" ? 33 : 9);
        const auto blocks = blocks_of(*program, extents, {8, {2, 2}, 4});
        EXPECT_TRUE(blocks) << render_text(blocks.diagnostics);
        return local_program(*program, *blocks, extents, {2, 4});
    }
    static std::string text(const std::string& body) {
        const auto local = made(body);
        EXPECT_TRUE(local) << render_text(local.diagnostics);
        std::string all;
        if (!local) return all;
        rewriting::each_statement(local->program.statements, [&](const Statement& s) {
            const std::string line = rewriting::statement_text(local->program, s);
            if (!line.starts_with("bell_")) all += line + "\n";
        });
        return all;
    }
    static std::string refused(const std::string& body, const std::string& before = head) {
        const auto local = made(body, before);
        EXPECT_FALSE(local) << body;
        std::string all;
        for (const Diagnostic& d : local.diagnostics) {
            EXPECT_EQ(d.code, "K0818");
            all += d.message + "\n";
        }
        return all;
    }
};

TEST_F(LocalPrograms, OverlapsAreRenewedBeforeATransformOfWhatWasComputed) {
    EXPECT_EQ(text("u = v; U = fft(u); u = ifft(U); U = fft(v); w = ifft(U); return u, w;\n"),
              "u = v\n"
              "u = renew(u)\n"
              "u_weighted = bell_x * bell_y * u\n"
              "U = fft(u_weighted)\n"
              "u_ifft = unscaled_ifft(U)\n"
              "u = 1 / (extent(x) * extent(y)) * u_ifft\n"
              // What was read has its overlaps.
              "v_weighted = bell_x * bell_y * v\n"
              "U = fft(v_weighted)\n"
              "w_ifft = unscaled_ifft(U)\n"
              "w = 1 / (extent(x) * extent(y)) * w_ifft\n");
}

TEST_F(LocalPrograms, OverlapsThatNothingHasChangedStay) {
    const std::string all = text(
        "u = v; U = fft(u); V = fft(u); w = u[x + 1]; u = w; w = u[y - 2]; "
        "U = U + V; u = ifft(U); return u, w;\n");
    std::size_t times = 0;
    for (std::size_t at = all.find("renew"); at != std::string::npos; at = all.find("renew", at + 1)) ++times;
    EXPECT_EQ(times, 2U) << all;
}

TEST_F(LocalPrograms, CoordinatesOfCellsAreTheGridsAndThoseOfWavesTheBlocks) {
    const std::string all = text(
        "k = wave(kx, extent(x)) / extent(x); factor = wave(y, extent(y)) / extent(y);\n"
        "U = fft(v); w = x / extent(x) + extent(y); u = ifft(k * factor * U); return u, w;\n");
    EXPECT_NE(all.find("k = (kx < (extent(x) + 1) / 2 ? kx : kx - extent(x)) / extent(x)\n"), std::string::npos) << all;
    EXPECT_NE(all.find("factor = (y < (extent(y) + 1) / 2 ? y : y - extent(y)) / extent(y)\n"), std::string::npos)
        << all;
    EXPECT_NE(all.find("w = float(x + (x_first - x_low) < 0 ? x + (x_first - x_low) + x_cells"), std::string::npos)
        << all;
    EXPECT_NE(all.find("x_cells + y_cells\n"), std::string::npos) << all;
}

TEST_F(LocalPrograms, CellsOfListsAreTheBlocksOwn) {
    const std::string all = text("u = ifft(fft(v)); u[x = px, y = py] = 2 * u[x = px, y = py]; return u;\n");
    EXPECT_NE(all.find("u[x = px >= x_first && px < x_first + x_own ? px + (x_low - x_first) : -1, "),
              std::string::npos)
        << all;
    // The same cell is read, so that nothing of the field is copied.
    EXPECT_NE(all.find("= 2 * u[x = px >= x_first && px < x_first + x_own ? px + (x_low - x_first) : -1, "),
              std::string::npos)
        << all;
}

TEST_F(LocalPrograms, OnePositionIsWhereACellStandsAtIt) {
    const std::string all = text("u = ifft(fft(v)); u[x = 5, y = 6] = 3; return u;\n");
    EXPECT_NE(all.find("\nu = 3\n"), std::string::npos) << all;
}

TEST_F(LocalPrograms, RecordingsSayWhichEntriesAreTheBlocks) {
    const auto local = made(
        "u = v; most = 0;\n"
        "for (n = 0; n < 9; n++) { u = ifft(fft(u)); rec[t = n] = u[x = px, y = py]; most = max(most, u[x = px, y = "
        "py]); one[t = n] = u[x = 3, y = 4]; }\n"
        "return u, rec, most, one;\n");
    ASSERT_TRUE(local) << render_text(local.diagnostics);
    ASSERT_EQ(local->outputs.size(), 4U);
    EXPECT_FALSE(local->outputs[0].own);
    EXPECT_EQ(local->outputs[0].cut, (std::vector<std::optional<std::size_t>>{0, 1}));
    ASSERT_TRUE(local->outputs[1].own && local->outputs[2].own && local->outputs[3].own);
    EXPECT_EQ(*local->outputs[1].own, *local->outputs[2].own);
    EXPECT_NE(*local->outputs[1].own, *local->outputs[3].own);
    EXPECT_EQ(local->outputs[1].own_axes, std::vector<std::size_t>{0});
    EXPECT_TRUE(local->outputs[3].own_axes.empty());
}

TEST_F(LocalPrograms, NumbersOfABlock) {
    const auto local = made("u = ifft(fft(v)); return u;\n");
    ASSERT_TRUE(local);
    Blocks blocks;
    blocks.axes = {{AxisId{0}, 64, 2, 8, 48}, {AxisId{1}, 60, 2, 8, 48}};
    EXPECT_EQ(block_parameters(*local, blocks, 2, {2, 4}), (std::vector<double>{2, 4, 0, 32, 8, 64, 30, 30, 9, 60}));
}

TEST_F(LocalPrograms, WhatABlockCannotDoIsRefused) {
    EXPECT_EQ(refused("u = ifft(fft(v)); all = sum(u); return u, all;\n"),
              "all cells along 'x', 'y' are looked at, of which each process has a block\n");
    EXPECT_EQ(refused("U = fft(v); u = ifft(U); return u, U;\n"), "'U' holds waves, of which each block has its own\n");
    EXPECT_EQ(refused("U = fft(v); V = fft(v); u = ifft(U * V); return u;\n"),
              "waves of a field are multiplied with each other, or taken apart, and a block has waves of its own\n");
    EXPECT_EQ(refused("U = fft(v); k = real(U); u = ifft(k * U); return u;\n").substr(0, 17), "waves of a field ");
    EXPECT_EQ(refused("U = fft(v); u = ifft(U + 1); return u;\n").substr(0, 17), "waves of a field ");
    EXPECT_EQ(refused("u = ifft(fft(v)); w = u[x + 9]; return w;\n"),
              "a neighbour is 9 cells away, and overlaps have 8\n");
    EXPECT_EQ(refused("w = ifft(fft(v)); u = w[x + 1]; return u;\n"),
              "'w' ends at the faces of 'x', and blocks have none\n");
    EXPECT_EQ(refused("U = fft(v); u = unscaled_ifft(U) / 3840; return u;\n"),
              "the transform back is not scaled, and a block has cells of its own number\n");
    EXPECT_EQ(refused("U = fft(v); for (n = 0; n < steps; n++) { U = 2 * U; } u = ifft(U); return u;\n"),
              "the waves of 'U' go from one iteration to the next, and their overlaps are never renewed\n");
    EXPECT_EQ(refused("factor = y / extent(y); u = ifft(factor * fft(v)) * factor; return u;\n").substr(0, 62),
              "a field has cells along a cut axis in one place, and waves in ");
}

TEST_F(LocalPrograms, WavesAreOfTheirNumberOverTheExtent) {
    const auto says = [](const std::string& k) {
        return refused("k = " + k + "; u = ifft(k * fft(v)); return u;\n").substr(0, 40);
    };
    const std::string wrong = "'k' is made of the numbers of waves, and";
    EXPECT_EQ(says("wave(kx, 64) / extent(x)"), wrong);
    EXPECT_EQ(says("wave(y, extent(y)) / 60"), wrong);
    EXPECT_EQ(says("c * kx"), wrong);
    EXPECT_EQ(says("kx < 9 ? 1 : 0"), wrong);
    EXPECT_EQ(text("k = 6.28 / extent(x) * kx + (2 * y == extent(y) ? 0 : wave(y, extent(y)) / (c * extent(y)));"
                   "u = ifft(exp(-k * k) * complex(0, k) * fft(v)); return u;\n")
                  .substr(0, 4),
              "k = ");
}

TEST_F(LocalPrograms, WhatOneProcessKnowsOthersMayNotNeed) {
    EXPECT_EQ(refused("u = ifft(fft(v)); one = u[x = 3, y = 4]; w = u * one[t = 0]; return w, one;\n"),
              "'one' is known to the process alone that has the cell it was read at\n");
    EXPECT_EQ(refused("u = ifft(fft(v)); most = u[x = px, y = py]; all = maximum(most); return all;\n"),
              "'most' is known to the process alone that has the cell it was read at\n");
    EXPECT_EQ(refused("u = ifft(fft(v)); most = u[x = px, y = py] - u[x = py, y = px]; return most;\n"),
              "'u' is known to the process alone that has the cell it was read at\n");
    EXPECT_EQ(refused("u = ifft(fft(v)); w = u * u[x = 3]; return w;\n"),
              "cells at a position along 'x' are read by all others, and each process has some\n");
    EXPECT_EQ(refused("u = ifft(fft(v)); profile = u[y = 3]; most = profile[x = px]; return most;\n"),
              "'profile' is known to the process alone that has the cell it was read at\n");
    EXPECT_EQ(refused("u = v; for (n = 0; n < 9; n++) { u = ifft(fft(u)); rec[t = n] = u[x = px + n, y = py]; }\n"
                      "return rec;\n"),
              "'rec' is kept, and the positions it was read at move\n");
}

}  // namespace
}  // namespace kasc::basis
