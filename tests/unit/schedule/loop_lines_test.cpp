// Loops that a block runs for whole lines: what lies where, in which phases statements stand, which barriers it meets.
#include <gtest/gtest.h>

#include <string>

#include "schedule/loop/schedule.hpp"
#include "search/set_rules.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

struct LinesCase {
    Program program;
    Graph graph;
    LoopWorkResult work;
};

/// A program whose only loop has this body.
LinesCase lines_of(const std::string& body) {
    FieldCase c(
        "param float r = 0.1; float u[x, y] boundary (x: mirror, y: mirror), v[x, y] boundary (x: periodic), "
        "c[x, y], w[x, y] boundary (x: mirror); float m[x, z] boundary (x: mirror), e[x, z]; input u, v, c, w, m, "
        "e; for (n = 1; n < 9; n++) { " +
        body + " } return u, v, w, m;");
    for (const LoopId loop : c.program.loops.ids()) c.program.loops[loop].inside = true;
    LinesCase made{c.program, *build_graph(c.program).value, {}};
    for (const NodeId node : made.graph.nodes.ids())
        if (std::holds_alternative<LoopNode>(made.graph.nodes[node].what))
            made.work = loop_work(made.program, made.graph, FusionMaker(made.graph).of({node.index}));
    return made;
}

/// "u shared 2, c registers": the words, with their copies.
std::string words_of(const LinesCase& c) {
    std::string text;
    for (const LineWords& words : c.work.value->lines.words)
        text += c.program.variables[words.variable].name + (words.shared ? " shared" : " registers") +
                (words.ring ? " 2, " : ", ");
    return text;
}

/// In the loop, by iteration.
int barriers_of(const LinesCase& c, int threads, int lines, int length) {
    FieldChoice choice = loop_choice(threads, 1);
    choice.threads_y = lines;
    const std::vector<int> lengths(c.work.value->lines.along.size(), length);
    const LoopScheduleResult made = schedule_loop(c.work.value, choice, c.program, lengths);
    EXPECT_TRUE(made.value) << made.reason;
    return block::barriers_met(*made.value->block, 3) - block::barriers_met(*made.value->block, 2);
}

TEST(LoopLines, AWordThatNeighboursReadHasTwoCopiesAndOneBarrier) {
    const LinesCase c = lines_of("u = u + r*c*(u[x - 1] - 2*u + u[x + 1]);");
    EXPECT_EQ(words_of(c), "u shared 2, c registers, ");
    EXPECT_EQ(c.work.value->lines.phases, (std::vector<int>{0}));
    EXPECT_EQ(barriers_of(c, 32, 1, 64), 1);
    EXPECT_EQ(barriers_of(c, 8, 4, 20), 1) << "three cells a thread, the last of some threads beyond the line";
    EXPECT_EQ(barriers_of(c, 1, 8, 8), 0) << "a thread has a whole line";
}

TEST(LoopLines, WhatAStatementMakesOthersReadBehindABarrier) {
    const LinesCase c = lines_of("v = r*(u[x + 1] - u); u = u + v - v[x - 1];");
    EXPECT_EQ(c.work.value->lines.phases, (std::vector<int>{0, 1}));
    EXPECT_EQ(words_of(c), "u shared 2, v shared 2, ");
    EXPECT_EQ(barriers_of(c, 32, 1, 32), 2);
    const LinesCase own = lines_of("v = r*u[x + 1]; u = u + v; w = 0.5*w + u;");
    EXPECT_EQ(own.work.value->lines.phases, (std::vector<int>{0, 0, 0})) << "at the cell itself";
    EXPECT_EQ(words_of(own), "u shared 2, v registers 2, w registers 2, ");
}

TEST(LoopLines, AWordThatTakesAnothersPlaceIsMovedThere) {
    const LinesCase c = lines_of("w = 2*u - v + r*u[x - 1]; v = u; u = w;");
    EXPECT_EQ(barriers_of(c, 32, 1, 32), 1);
    for (std::size_t k = 0; k < c.work.value->words.size(); ++k)
        EXPECT_EQ(c.work.value->lines.chains[k].made, c.program.variables[c.work.value->words[k].variable].name != "v")
            << "nothing makes the former u";
}

TEST(LoopLines, RowsLookAtTheRowBefore) {
    const LinesCase c = lines_of("m[z = n] = e[z = n] + min(m[x - 1, z = n - 1], m[z = n - 1]);");
    EXPECT_EQ(words_of(c), "m shared 2, ");
    EXPECT_EQ(barriers_of(c, 16, 1, 16), 1);
    EXPECT_EQ(lines_of("m[z = n] = e[z = n] + m[x - 1, z = extent(z) - n];").work.reason,
              "other cells of m are read at positions that are neither this iteration's nor the one's before");
}

TEST(LoopLines, HaveChoicesThatFillBlocks) {
    const LinesCase c = lines_of("u = 0.5*u[x - 1];");
    for (const int length : {1, 7, 33, 256, 1025, 8192}) {
        const std::vector<FieldChoice> choices = loop_choices(*c.work.value, false, {length});
        EXPECT_FALSE(choices.empty()) << length;
        for (const FieldChoice& choice : choices) {
            const LoopScheduleResult made = schedule_loop(c.work.value, choice, c.program, {length});
            EXPECT_TRUE(made.value) << made.reason;
            EXPECT_GE(choice.threads_x * made.value->cells_of_thread(), length);
        }
    }
    EXPECT_TRUE(loop_choices(*c.work.value, true, {64}).empty()) << "a CPU's cores go along memory";
    EXPECT_EQ(schedule_loop(c.work.value, loop_choice(32, 1), c.program, {257}).reason,
              "a thread has 8 cells of a line at most, here 9");
    EXPECT_EQ(schedule_loop(c.work.value, loop_choice(32, 1), c.program).reason,
              "the lengths of its lines are not known");
}

}  // namespace
}  // namespace kasc::test
