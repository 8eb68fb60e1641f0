#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <set>

#include "search/fusion_space.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::ProgramBuilder;

struct Built {
    ProgramBuilder b;
    Program program;
    Graph graph;
    [[nodiscard]] FusionSpace space(int max_calls = 8, std::size_t max_fusions = 20000) const {
        return enumerate_fusions(program, graph, {max_calls, max_fusions});
    }
};

/// Calls of one to two arguments among the values before; every value that is not read is an output.
Built random_program(unsigned seed, int calls, int inputs) {
    std::mt19937 random(seed);
    Built built;
    std::vector<VariableId> values;
    for (int i = 0; i < inputs; ++i) values.push_back(built.b.stream(fmt::format("a{}", i), "scalar"));
    built.b.input(values);
    std::set<VariableId> unread;
    for (int i = 0; i < calls; ++i) {
        const VariableId r = built.b.stream(fmt::format("r{}", i), "scalar");
        const VariableId x = values[random() % values.size()], y = values[random() % values.size()];
        built.b.call(r, "f", {x, y});
        unread.erase(x);
        unread.erase(y);
        unread.insert(r);
        values.push_back(r);
    }
    built.program = built.b.output({unread.begin(), unread.end()});
    built.graph = *build_graph(built.program).value;
    return built;
}

Built chain(int calls) {
    Built built;
    const VariableId v = built.b.stream("v", "scalar");
    built.b.input({v});
    for (int i = 0; i < calls; ++i) built.b.call(v, "f", {v});
    built.program = built.b.output({v});
    built.graph = *build_graph(built.program).value;
    return built;
}

Built star(int calls) {
    Built built;
    const VariableId a = built.b.stream("a", "scalar");
    built.b.input({a});
    std::vector<VariableId> results;
    for (int i = 0; i < calls; ++i) {
        results.push_back(built.b.stream(fmt::format("r{}", i), "scalar"));
        built.b.call(results.back(), "f", {a});
    }
    built.program = built.b.output(results);
    built.graph = *build_graph(built.program).value;
    return built;
}

std::vector<NodeId> sorted_calls(const Fusion& fusion) {
    std::vector<NodeId> calls = fusion.calls;
    std::sort(calls.begin(), calls.end());
    return calls;
}

bool connected(const Graph& graph, const std::vector<NodeId>& calls) {
    std::set<NodeId> reached{calls.front()};
    const auto touches = [&](NodeId a, NodeId b) {
        const auto& x = graph.nodes[a];
        const auto& y = graph.nodes[b];
        std::set<ValueId> of_x(x.reads.begin(), x.reads.end());
        of_x.insert(x.writes.begin(), x.writes.end());
        return std::any_of(y.reads.begin(), y.reads.end(), [&](ValueId v) { return of_x.contains(v); });
    };
    for (bool more = true; more;) {
        more = false;
        for (NodeId c : calls) {
            for (NodeId r : std::set<NodeId>(reached)) {
                if (touches(r, c) || touches(c, r)) more = reached.insert(c).second || more;
            }
        }
    }
    return reached.size() == calls.size();
}

TEST(EnumerateFusions, EqualsBruteForceOverAllSubsets) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Built built = random_program(seed, 8, 2);
        const std::size_t n = built.graph.nodes.size();
        std::set<std::vector<NodeId>> expected;
        for (unsigned mask = 1; mask < 1U << n; ++mask) {
            std::vector<NodeId> calls;
            for (unsigned i = 0; i < n; ++i) {
                if ((mask >> i & 1U) != 0) calls.push_back(NodeId{i});
            }
            if (calls.size() <= 5 && connected(built.graph, calls) && convex(built.graph, calls, built.program)) {
                expected.insert(calls);
            }
        }
        std::set<std::vector<NodeId>> found;
        const FusionSpace space = built.space(5);
        for (const Fusion& fusion : space.fusions) EXPECT_TRUE(found.insert(sorted_calls(fusion)).second) << "twice";
        EXPECT_EQ(found, expected) << "seed " << seed;
    }
}

TEST(EnumerateFusions, OrdersBySizeThenCallsAndIsRepeatable) {
    const Built built = random_program(7, 12, 3);
    const FusionSpace space = built.space();
    std::vector<std::pair<std::size_t, std::vector<NodeId>>> keys;
    for (const Fusion& fusion : space.fusions) keys.emplace_back(fusion.calls.size(), sorted_calls(fusion));
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_EQ(print(space, built.program, built.graph), print(built.space(), built.program, built.graph));
}

TEST(EnumerateFusions, CallsStandInATopologicalOrder) {
    const Built built = random_program(11, 14, 3);
    for (const Fusion& fusion : built.space(6).fusions) {
        std::set<NodeId> done;
        for (NodeId call : fusion.calls) {
            for (NodeId before : predecessors(built.graph, call)) {
                const bool inside = std::find(fusion.calls.begin(), fusion.calls.end(), before) != fusion.calls.end();
                EXPECT_TRUE(!inside || done.contains(before));
            }
            done.insert(call);
        }
    }
}

TEST(EnumerateFusions, InputsOutputsAndInnerValues) {
    Built built;
    const auto a = built.b.stream("a", "scalar"), t = built.b.stream("t", "scalar"), u = built.b.stream("u", "scalar"),
               w = built.b.stream("w", "scalar");
    built.b.input({a});
    built.b.call(t, "f", {a});
    built.b.call(u, "g", {t});
    built.b.call(w, "h", {t, u});
    built.program = built.b.output({w});
    built.graph = *build_graph(built.program).value;
    EXPECT_EQ(print(built.space(), built.program, built.graph),
              "f0  t = f(a)  reads a  writes t\n"
              "f1  u = g(t)  reads t  writes u\n"
              "f2  w = h(t, u)  reads t, u  writes w\n"
              "f3  t = f(a) | u = g(t)  reads a  writes t, u\n"
              "f4  u = g(t) | w = h(t, u)  reads t  writes w  keeps u\n"
              "f5  t = f(a) | u = g(t) | w = h(t, u)  reads a  writes w  keeps t, u\n"
              "refused  t = f(a) | w = h(t, u): a path leaves the fusion and comes back: "
              "'t = f(a)' → 'u = g(t)' → 'w = h(t, u)'\n");
}

TEST(EnumerateFusions, ALoopStandsInFusionsLikeACall) {
    Built built;
    const auto v = built.b.stream("v", "scalar"), w = built.b.stream("w", "scalar");
    built.b.input({v, w});
    built.b.call(v, "f", {v});
    built.b.loop("i", 0, 3, [&] {
        built.b.call(v, "f", {v, w});
        built.b.call(v, "g", {v});
        built.b.call(v, "g", {v});
    });
    built.b.call(v, "g", {v});
    built.program = built.b.output({v});
    built.graph = *build_graph(built.program).value;
    EXPECT_EQ(built.space().fusions.size(), 6U);
    // Bodies of more calls than a fusion may have, and all of them where nothing is to be fused, are the host's.
    for (const int calls : {1, 2}) {
        const FusionSpace space = built.space(calls);
        ASSERT_EQ(space.fusions.size(), 2U) << calls;
        EXPECT_EQ(space.fusions[FusionId{0}].outputs, built.graph.nodes[NodeId{0}].writes);
    }
}

TEST(EnumerateFusions, SaysWhichBoundWasHit) {
    EXPECT_EQ(chain(8).space().cut, "");
    EXPECT_TRUE(chain(8).space().whole);
    EXPECT_EQ(chain(9).space().cut, "left out: fusions of more than 8 calls (--max-fusion)");
    EXPECT_FALSE(chain(9).space().whole);
    const FusionSpace cut = star(30).space(4, 300);
    EXPECT_NE(cut.cut.find("300 in all"), std::string::npos);
    EXPECT_LE(cut.fusions.size(), 300U);
    const auto largest = cut.fusions[FusionId{static_cast<std::uint32_t>(cut.fusions.size() - 1)}].calls.size();
    EXPECT_EQ(largest, 4U) << "every size has its share";
}

TEST(EnumerateFusions, SingleCallsAreNeverCut) {
    EXPECT_EQ(star(30).space(8, 1).fusions.size(), 30U);
    EXPECT_EQ(chain(2000).space().fusions.size(), 2000U);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double slowed_down = 20;
#else
constexpr double slowed_down = 1;
#endif

/// The processor's time of this process, whatever else the machine does.
double seconds(const Built& built) {
    const std::clock_t start = std::clock();
    EXPECT_GE(built.space().fusions.size(), built.graph.nodes.size());
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / slowed_down;
}

TEST(EnumerateFusions, IsFast) {
    EXPECT_LT(seconds(chain(30)), 1);
    EXPECT_LT(seconds(random_program(3, 30, 6)), 1);
    EXPECT_LT(seconds(star(30)), 1);
    EXPECT_LT(seconds(random_program(5, 100, 10)), 3);
    EXPECT_LT(seconds(star(100)), 3);
}

}  // namespace
}  // namespace kasc
