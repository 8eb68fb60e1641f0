#include "select/contraction.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "unit/select/costed_builder.hpp"

namespace kasc {
namespace {

/// Two chains that cross: t = f(a), v = g(b), u = h(t), w = k(v). {t, w} and {v, u} are convex one by one.
struct Crossing : ::testing::Test {
    Crossing() {
        const auto a = b.stream("a", "scalar"), c = b.stream("b", "scalar"), t = b.stream("t", "scalar"),
                   v = b.stream("v", "scalar"), u = b.stream("u", "scalar"), w = b.stream("w", "scalar");
        b.input({a, c});
        b.call(t, "f", {a});
        b.call(v, "f", {c});
        b.call(u, "f", {t});
        b.call(w, "f", {v});
        program = b.output({u, w});
        graph = *build_graph(program).value;
    }
    test::ProgramBuilder b;
    Program program;
    Graph graph;
};

TEST_F(Crossing, TwoConvexFusionsMayWaitForEachOther) {
    const CostedSpace costed = test::costed({{{0, 3}, 1}, {{1, 2}, 1}});
    ASSERT_TRUE(convex(graph, {NodeId{0}, NodeId{3}}, program));
    ASSERT_TRUE(convex(graph, {NodeId{1}, NodeId{2}}, program));
    const Contraction contraction = contract(graph, costed, {0, 1});
    EXPECT_TRUE(contraction.order.empty());
    EXPECT_EQ(contraction.cycles, (std::vector<std::vector<std::size_t>>{{0, 1}}));
}

TEST_F(Crossing, TheWayAroundIsOfWhatWaitsForWhat) {
    const CostedSpace costed = test::costed({{{0, 3}, 1}, {{1, 2}, 1}});
    const auto around = shortest_way_around(graph, costed, {0, 1});
    ASSERT_EQ(around.size(), 2U);
    ASSERT_EQ(around[0].size(), 1U);
    ASSERT_EQ(around[1].size(), 1U);
    EXPECT_EQ(std::pair(around[0][0].before, around[0][0].after), std::pair(NodeId{0}, NodeId{2}));
    EXPECT_EQ(std::pair(around[1][0].before, around[1][0].after), std::pair(NodeId{1}, NodeId{3}));
}

TEST_F(Crossing, LaunchesStandInTheOrderOfTheProgram) {
    const CostedSpace costed = test::costed({{{3}, 1}, {{2}, 1}, {{0, 1}, 1}});
    const auto order = launch_order(graph, costed, {{0, 1, 2}, 0, "", ""});
    ASSERT_EQ(order.size(), 3U);
    EXPECT_EQ(std::get<std::size_t>(order[0].what), 2U);
    EXPECT_EQ(std::get<std::size_t>(order[1].what), 1U);
    EXPECT_EQ(std::get<std::size_t>(order[2].what), 0U);
}

TEST(LaunchOrder, LoopsStandAmongTheLaunches) {
    test::ProgramBuilder b;
    const auto v = b.stream("v", "scalar");
    b.input({v});
    b.call(v, "f", {v});
    b.loop("i", 0, 3, [&] { b.call(v, "f", {v}); });
    b.call(v, "f", {v});
    const Graph graph = *build_graph(b.output({v})).value;
    const CostedSpace costed = test::costed({{{0}, 1}, {{2}, 1}});
    const auto order = launch_order(graph, costed, {{0, 1}, 0, "", ""});
    ASSERT_EQ(order.size(), 3U);
    EXPECT_EQ(std::get<NodeId>(order[1].what), NodeId{1});
}

TEST(LaunchOrder, AFusionAroundALoopWaitsForItself) {
    test::ProgramBuilder b;
    const auto v = b.stream("v", "scalar");
    b.input({v});
    b.call(v, "f", {v});
    b.loop("i", 0, 3, [&] { b.call(v, "f", {v}); });
    b.call(v, "f", {v});
    const Graph graph = *build_graph(b.output({v})).value;
    const CostedSpace costed = test::costed({{{0, 2}, 1}});
    EXPECT_EQ(contract(graph, costed, {0}).cycles.size(), 1U);
    EXPECT_TRUE(shortest_way_around(graph, costed, {0}).empty()) << "it leads through the loop, which is no fusion";
}

TEST(LaunchOrder, AReaderOfAnOverwrittenSliceIsLaunchedBeforeIt) {
    using test::At;
    test::ProgramBuilder b;
    const auto p = b.field("p", {"x"}), q = b.field("q", {"x"}), s = b.field("s", {"t"});
    b.input({p, s});
    b.update(q, {{p, {}}});
    b.update(p, {{s, {At::absolute(b.literal(0))}}}, 1, {At::absolute(b.literal(3))});
    const Graph graph = *build_graph(b.output({p, q})).value;
    const auto order = launch_order(graph, test::costed({{{1}, 1}, {{0}, 1}}), {{0, 1}, 0, "", ""});
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(std::get<std::size_t>(order[0].what), 1U);
}

}  // namespace
}  // namespace kasc
