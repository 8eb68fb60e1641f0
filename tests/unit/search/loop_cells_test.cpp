// Which calls stand in the kernel of a loop that each cell runs, and which do not, with the reason.
#include "search/loop_cells.hpp"

#include <gtest/gtest.h>

#include "unit/frontend/cell_programs.hpp"

namespace kasc::test {
namespace {

/// The verdict on the loop and the call that assigns `target`; loops are marked as those that cells run.
Verdict beside_loop(const std::string& text, const std::string& target) {
    const auto read = read_program(make_source("loop.kas", text), cell_library());
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    Program program = *read.value;
    for (const LoopId loop : program.loops.ids()) program.loops[loop].inside = true;
    const Outcome<Graph> graph = build_graph(program);
    std::vector<NodeId> all;
    for (const NodeId id : graph->nodes.ids()) all.push_back(id);
    const auto loop = loop_among(*graph, all);
    EXPECT_TRUE(loop) << text;
    for (const NodeId id : all) {
        const ValueId made = graph->nodes[id].writes.front();
        if (id == *loop || program.variables[graph->values[made].variable].name != target) continue;
        return *share_loop(program, *graph, std::min(id, *loop), std::max(id, *loop));
    }
    ADD_FAILURE() << "no call assigns " << target;
    return Verdict::no("");
}

const std::string words = "float a[x, y] boundary mirror, h[x, y], r[x, y], s[x]; input a;";

TEST(BesideALoop, WordsOfTheCellAreHandedOver) {
    const std::string text = words + "h = a[x - 1]; for (n = 0; n < 9; n++) { h = h*h + a; } r = 2*h + a[y + 1]; ";
    EXPECT_TRUE(beside_loop(text + "return r;", "h"));
    EXPECT_TRUE(beside_loop(text + "return r;", "r"));
}

TEST(BesideALoop, ACallThatHandsNothingOverMayStandThere) {
    const std::string text = words + "h = a; for (n = 0; n < 9; n++) { h = h*h; } r = a + 1; return h, r;";
    EXPECT_TRUE(beside_loop(text, "r"));
}

TEST(BesideALoop, OtherCellsAreOtherThreads) {
    const std::string neighbours = "float a[x] boundary mirror, h[x] boundary mirror, r[x]; input a;";
    const Verdict behind =
        beside_loop(neighbours + "h = a; for (n = 0; n < 9; n++) { h = h*h; } r = h[x - 1]; return r;", "r");
    EXPECT_FALSE(behind);
    EXPECT_EQ(behind.reason(), "other cells of h are read, which the loop assigns");
    const Verdict before =
        beside_loop(neighbours + "r = 2*a; h = a; for (n = 0; n < 9; n++) { h = h*r[x = 3]; } return h;", "r");
    EXPECT_FALSE(before);
    EXPECT_EQ(before.reason(), "the loop reads other cells of r");
}

TEST(BesideALoop, CellsAreTheLoopsOwn) {
    const std::string loop = words + "h = a; for (n = 0; n < 9; n++) { h = h*h; } ";
    EXPECT_EQ(beside_loop(loop + "s = a[y = 2]; return h, s;", "s").reason(), "s has other cells than the loop");
    EXPECT_EQ(beside_loop(loop + "s = sum(h, y); return h, s;", "s").reason(),
              "s is not assigned cell by cell, beside a loop in each cell");
}

TEST(BesideALoop, WhatTheLoopGoesThroughLiesInMemory) {
    const std::string declared = "float v[x, t] boundary mirror, e[x], l[x]; input v;";
    const std::string loop = "e = 0; for (n = 1; n < extent(t); n++) { e = e + v[t = n]; v[t = n] = e; } ";
    EXPECT_TRUE(beside_loop(declared + loop + "l = v[t = 3]; return v, l;", "l")) << "a word of the own cell";
    EXPECT_EQ(beside_loop(declared + loop + "l = v[x + 1, t = 3]; return v, l;", "l").reason(),
              "other cells of v are read, which the loop assigns");
    EXPECT_EQ(beside_loop(declared + "l = v[x + 1, t = 3]; " + loop + "return v, l;", "l").reason(),
              "other cells of v are read, which the loop assigns");
}

}  // namespace
}  // namespace kasc::test
