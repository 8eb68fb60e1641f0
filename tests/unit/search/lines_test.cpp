#include "search/lines.hpp"

#include <gtest/gtest.h>

#include "search/set_rules.hpp"
#include "support/field_case.hpp"

namespace kasc {
namespace {

std::string complete(const test::FieldCase& c, const std::vector<std::uint32_t>& calls) {
    const Verdict v = lines_complete(c.program, c.graph, find_line_calls(c.program, c.graph), node_ids(calls));
    return (v ? "yes: " : "no: ") + v.reason();
}

TEST(LineCalls, PartsKnowWhoJoinsThem) {
    const test::FieldCase c("float a[x, y], b[x, y]; input a; b = a/sum(a, x) + maximum(a, x); return b;");
    const LineCalls lines = find_line_calls(c.program, c.graph);
    std::size_t parts = 0;
    for (const NodeId node : c.graph.nodes.ids()) {
        if (!lines[node.index] || lines[node.index]->role != LineRole::part) continue;
        ++parts;
        EXPECT_EQ(lines[node.index]->joined_by, consumers(c.graph, c.graph.nodes[node].writes.front()));
        EXPECT_EQ(lines[node.index]->joined_by.size(), 1U);
    }
    EXPECT_EQ(parts, 2U);
}

TEST(LineCalls, AreCompleteWithAllThatJoins) {
    const test::FieldCase c("float a[x, y], b[x, y]; input a; b = a/sum(a, x); return b;");
    EXPECT_EQ(complete(c, {0, 1, 2}), "yes: its blocks have whole lines");
    EXPECT_EQ(complete(c, {1, 2}), "no: the parts of b_sum are folded by another kernel");
    EXPECT_EQ(complete(c, {0}), "yes: no call is of whole lines");
}

}  // namespace
}  // namespace kasc
