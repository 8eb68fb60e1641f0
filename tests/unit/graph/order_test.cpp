#include <gtest/gtest.h>

#include "graph/graph.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::At;
using test::ProgramBuilder;

struct Diamond : ::testing::Test {
    Diamond() {
        const auto a = b.stream("a", "scalar"), t = b.stream("t", "scalar"), u = b.stream("u", "scalar"),
                   w = b.stream("w", "scalar");
        b.input({a});
        b.call(t, "f", {a});
        b.call(u, "g", {t});
        b.call(w, "h", {t, u});
        program = b.output({w});
        graph = *build_graph(program).value;
    }
    ProgramBuilder b;
    Program program;
    Graph graph;
};

TEST_F(Diamond, APathThatLeavesAndComesBackIsNamed) {
    const Verdict verdict = convex(graph, {NodeId{0}, NodeId{2}}, program);
    EXPECT_FALSE(verdict);
    EXPECT_EQ(verdict.reason(), "a path leaves the fusion and comes back: 't = f(a)' → 'u = g(t)' → 'w = h(t, u)'");
}

TEST_F(Diamond, SetsWithoutSuchAPathAreConvex) {
    EXPECT_TRUE(convex(graph, {NodeId{0}, NodeId{1}}, program));
    EXPECT_TRUE(convex(graph, {NodeId{1}, NodeId{2}}, program));
    EXPECT_TRUE(convex(graph, {NodeId{0}, NodeId{1}, NodeId{2}}, program));
    EXPECT_TRUE(convex(graph, {NodeId{2}}, program));
    EXPECT_TRUE(convex(graph, {}, program));
}

TEST_F(Diamond, VerifyFindsWhatIsBroken) {
    EXPECT_EQ(verify(graph), "");
    Graph late = graph;
    late.nodes[NodeId{0}].reads = {graph.nodes[NodeId{2}].writes[0]};
    EXPECT_EQ(verify(late), "n0 reads v3 before it is produced");
    Graph twice = graph;
    twice.nodes[NodeId{1}].writes = graph.nodes[NodeId{0}].writes;
    EXPECT_NE(verify(twice), "");
    Graph unknown = graph;
    unknown.outputs.push_back(ValueId{99});
    EXPECT_EQ(verify(unknown), "an output is no value of the graph");
}

TEST(Predecessors, ReadersOfAnOverwrittenSliceRunBeforeIt) {
    ProgramBuilder b;
    const auto p = b.field("p", {"x", "y"}), q = b.field("q", {"x", "y"}), s = b.field("s", {"t"});
    b.input({p, s});
    b.update(q, {{p, {}}});
    b.update(p, {{s, {At::absolute(b.literal(0))}}}, 1, {At::absolute(b.literal(3)), At::absolute(b.literal(4))});
    const Program program = b.output({p, q});
    const Graph graph = *build_graph(program).value;
    EXPECT_EQ(predecessors(graph, NodeId{1}), std::vector<NodeId>{NodeId{0}});
}

}  // namespace
}  // namespace kasc
