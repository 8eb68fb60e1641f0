// Calls of a large graph that are searched as one.
#include "search/units.hpp"

#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "rewrite/rewrite.hpp"

namespace kasc {
namespace {

struct Read {
    explicit Read(const std::string& text)
        : program(*read_program(make_source("u.kas", text), {})),
          graph(*build_graph(program)),
          rules(program, graph, {}) {}
    Program program;
    Graph graph;
    SetRules rules;

    [[nodiscard]] Units units(const NodeSet& apart) const { return words_in_units(program, graph, rules, apart); }
    [[nodiscard]] NodeSet none() const { return NodeSet(graph.nodes.size()); }
};

std::string cells(int words) {
    return "type many = float[" + std::to_string(words) +
           "];\nmany f[x] boundary mirror, g[x] boundary mirror, h[x]; float s[x];\ninput f;\n"
           "s = sum(f);\ng = f - s * f;\nh = g[x - 1] + g[x + 1] + s;\nreturn h;\n";
}

TEST(Units, AreWordsOfOneStatement) {
    const Read read(cells(64));
    const Units units = read.units(read.none());
    std::size_t count = 0;
    for (const NodeId node : read.graph.nodes.ids()) {
        const NodeSet& unit = units.of[node.index];
        EXPECT_TRUE(unit.test(node.index));
        count += units.is_first(node.index) ? 1 : 0;
        for (auto m = unit.find_first(); m != NodeSet::npos; m = unit.find_next(m)) {
            EXPECT_EQ(units.of[m], unit);
            EXPECT_EQ(read.graph.nodes[NodeId{static_cast<std::uint32_t>(m)}].span.begin,
                      read.graph.nodes[node].span.begin);
        }
    }
    EXPECT_LE(count, 32U);
    EXPECT_GE(count, 16U) << "no more than needed stand together";
    EXPECT_TRUE(units.are_several());
}

TEST(Units, AreSingleCallsWhereThereAreFew) {
    const Read read(cells(15));
    EXPECT_FALSE(read.units(read.none()).are_several());
}

TEST(Units, LeaveCallsThatStandApart) {
    const Read read(cells(64));
    NodeSet apart = read.none();
    apart.set(3).set(4);
    const Units units = read.units(apart);
    EXPECT_EQ(units.of[3].count(), 1U);
    EXPECT_EQ(units.of[4].count(), 1U);
}

TEST(Units, AreIterationsOfAnUnrolledLoop) {
    // Each three times: their places in the text are those of the loop.
    const auto program = read_program(
        make_source("u.kas",
                    "float a[x], b[x], s[x] boundary mirror; input a, b, s;\n"
                    "for (n = 0; n < 60; n++) { a = a*b + 1; b = b - 0.5*a; }\n s = a + s[x - 1]; return s, b;\n"),
        {});
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    const Program unrolled = rewrite(*program).program;
    const auto graph = build_graph(unrolled);
    const SetRules rules(unrolled, *graph, {});
    const Units units = words_in_units(unrolled, *graph, rules, NodeSet(graph->nodes.size()));
    NodeSet all(graph->nodes.size());
    const NodeSet firsts = units.firsts(all.set());
    EXPECT_EQ(graph->nodes.size(), 121U);
    EXPECT_LE(firsts.count(), 32U);
    for (auto n = firsts.find_first(); n != NodeSet::npos; n = firsts.find_next(n)) {
        if (units.of[n].count() == 1) continue;
        EXPECT_EQ(units.of[n].count() % 2, 0U) << "whole iterations";
        EXPECT_TRUE(rules.is_fusion(members_of(units.of[n])));
    }
    EXPECT_EQ(units.of[120].count(), 1U);
}

Units with_copies(const Read& read, const NodeSet& apart) {
    Units units = single_units(read.graph);
    join_copies(units, read.graph, read.rules, apart);
    return units;
}

TEST(Units, AreCopiesWithWhatTheyCopy) {
    const Read read(
        "float c[x] boundary mirror, new_c[x], d[x]; input c; new_c = c[x - 1] + c[x + 1]; c = new_c; d = 2*c; "
        "return c, d;");
    const Units units = with_copies(read, read.none());
    ASSERT_EQ(units.of.size(), 3U);
    EXPECT_EQ(units.of[0], units.of[1]);
    EXPECT_EQ(units.of[0].count(), 2U);
    EXPECT_EQ(units.of[2].count(), 1U);
    EXPECT_FALSE(with_copies(read, read.none().set(1)).are_several()) << "the copy stands apart";
}

TEST(Units, AreNoCopiesOfWhatOthersReadOrTheProgramReturns) {
    const std::string begin = "float c[x] boundary mirror, new_c[x], d[x]; input c; new_c = c[x - 1] + c[x + 1]; ";
    for (const char* end : {"c = new_c; d = 2*new_c; return c, d;", "c = new_c; return c, new_c;",
                            "c = 2*new_c; return c;", "c = new_c; d = c + c[x - 1]; return d;"}) {
        const Read read(begin + end);
        const bool is_copied = std::string(end).starts_with("c = new_c; d = c");
        EXPECT_EQ(with_copies(read, read.none()).are_several(), is_copied) << end;
    }
}

/// Words of `a`, `h` and `r`, of four each, with a loop over h between; loops are marked as those that cells run.
Units around_a_loop(const std::string& before, const std::string& behind, bool inside = true) {
    const std::string text = "type four = float[4]; four a[x] boundary mirror, h[x], r[x], s[x]; input a; " + before +
                             " for (n = 0; n < 9; n++) { h = h*h + a; } " + behind;
    Program program = *read_program(make_source("u.kas", text), {});
    for (const LoopId loop : program.loops.ids()) program.loops[loop].inside = inside;
    const Graph graph = *build_graph(program);
    const SetRules rules(program, graph, {});
    Units units = single_units(graph);
    join_words_of_loops(units, graph, rules, NodeSet(graph.nodes.size()));
    return units;
}

TEST(Units, AreWordsThatALoopIsHandedOrLeaves) {
    EXPECT_EQ(around_a_loop("h = 2*a;", "return h;").count(), 2U) << "all words before the loop, and the loop";
    EXPECT_EQ(around_a_loop("h = 2*a;", "r = h + a; return r;").count(), 3U);
    EXPECT_EQ(around_a_loop("h = 2*a;", "r = h + a; s = a + 1; return r, s;").count(), 7U)
        << "s has none of the loop's";
    EXPECT_EQ(around_a_loop("h = 2*a; s = h[x + 0]*a;", "return h, s;").count(), 9U)
        << "s reads what the loop is handed";
    EXPECT_FALSE(around_a_loop("h = 2*a;", "return h;", false).are_several()) << "the host runs the loop";
}

TEST(Units, ComeInHalves) {
    const Read read(cells(64));
    Units units = read.units(read.none());
    std::uint32_t node = 0;
    while (units.of[node].count() < 2) ++node;
    const NodeSet before = units.of[node];
    const auto halves = halves_of(before);
    units.put(halves.first);
    units.put(halves.second);
    NodeSet both = units.of[node];
    EXPECT_EQ(both.count(), before.count() / 2);
    for (auto m = before.find_first(); m != NodeSet::npos; m = before.find_next(m)) both |= units.of[m];
    EXPECT_EQ(both, before);
}

TEST(Units, MakeSetsWhole) {
    const Read read(cells(64));
    const Units units = read.units(read.none());
    NodeSet set = read.none();
    set.set(2).set(read.graph.nodes.size() - 1);
    const NodeSet whole = units.whole(set);
    EXPECT_EQ(whole, units.of[2] | units.of[read.graph.nodes.size() - 1]);
    EXPECT_EQ(units.firsts(whole).count(), 2U);
}

}  // namespace
}  // namespace kasc
