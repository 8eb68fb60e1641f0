#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "select/contraction.hpp"
#include "select/selection.hpp"
#include "unit/select/costed_builder.hpp"

namespace kasc {
namespace {

using test::costed;
using test::Priced;
using test::ProgramBuilder;

/// Every result is returned, so that every call stays in the graph.
Graph random_graph(std::mt19937& random, int calls) {
    ProgramBuilder b;
    std::vector<VariableId> values{b.stream("a", "scalar"), b.stream("b", "scalar")};
    b.input(values);
    std::vector<VariableId> results;
    for (int i = 0; i < calls; ++i) {
        const VariableId r = b.stream(fmt::format("r{}", i), "scalar");
        b.call(r, "f", {values[random() % values.size()], values[random() % values.size()]});
        values.push_back(r);
        results.push_back(r);
    }
    return *build_graph(b.output(results)).value;
}

/// A reachability closure by Floyd and Warshall, nothing of the code under test.
bool can_be_launched(const Graph& graph, const CostedSpace& space, const std::vector<std::size_t>& chosen) {
    std::vector<std::size_t> group(graph.nodes.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        for (NodeId call : fusion_of(space.candidates[chosen[i]].schedule).calls) group[call.index] = i;
    }
    std::vector<std::vector<bool>> reach(chosen.size(), std::vector<bool>(chosen.size()));
    for (NodeId n : graph.nodes.ids()) {
        for (ValueId v : graph.nodes[n].reads) {
            const auto p = graph.values[v].producer;
            if (p && group[p->index] != group[n.index]) reach[group[p->index]][group[n.index]] = true;
        }
    }
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            for (std::size_t j = 0; j < chosen.size(); ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
        }
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (reach[i][i]) return false;
    }
    return true;
}

/// Times of all selections, sorted.
std::vector<double> brute_force(const Graph& graph, const CostedSpace& space) {
    std::vector<double> times;
    std::vector<std::size_t> chosen;
    std::vector<bool> covered(graph.nodes.size());
    const auto extend = [&](const auto& self, double time) -> void {
        const auto free = std::find(covered.begin(), covered.end(), false);
        if (free == covered.end()) {
            if (can_be_launched(graph, space, chosen)) times.push_back(time);
            return;
        }
        const NodeId next{static_cast<std::uint32_t>(free - covered.begin())};
        for (std::size_t c = 0; c < space.candidates.size(); ++c) {
            const auto& calls = fusion_of(space.candidates[c].schedule).calls;
            const bool takes = std::find(calls.begin(), calls.end(), next) != calls.end();
            const bool fits = std::none_of(calls.begin(), calls.end(), [&](NodeId n) { return covered[n.index]; });
            if (!takes || !fits) continue;
            for (NodeId n : calls) covered[n.index] = true;
            chosen.push_back(c);
            self(self, time + space.candidates[c].prediction.time_ns);
            chosen.pop_back();
            for (NodeId n : calls) covered[n.index] = false;
        }
    };
    extend(extend, 0);
    std::sort(times.begin(), times.end());
    return times;
}

/// All subsets of up to three calls as fusions, one or two candidates each, without regard to convexity: the
/// contraction has to find what cannot be launched.
CostedSpace random_space(std::mt19937& random, const Graph& graph) {
    std::vector<Priced> list;
    std::uint32_t fusions = 0;
    const auto n = static_cast<unsigned>(graph.nodes.size());
    std::uniform_real_distribution<double> part(0.4, 1.2);
    for (unsigned mask = 1; mask < 1U << n; ++mask) {
        std::vector<std::uint32_t> calls;
        for (std::uint32_t i = 0; i < n; ++i) {
            if ((mask >> i & 1U) != 0) calls.push_back(i);
        }
        if (calls.size() > 3 || (calls.size() > 1 && random() % 3 == 0)) continue;
        std::vector<double> times;
        for (unsigned k = 0; k <= random() % 2; ++k)
            times.push_back(1000.0 * static_cast<double>(calls.size()) * part(random));
        std::sort(times.begin(), times.end());
        for (double time : times) list.push_back({calls, time, fusions});
        ++fusions;
    }
    return costed(list);
}

void expect_selection(const Graph& graph, const CostedSpace& space, const Selection& selection) {
    std::set<NodeId> covered;
    double time = 0;
    for (std::size_t c : selection.candidates) {
        time += space.candidates[c].prediction.time_ns;
        for (NodeId call : fusion_of(space.candidates[c].schedule).calls) EXPECT_TRUE(covered.insert(call).second);
    }
    EXPECT_EQ(covered.size(), graph.nodes.size());
    EXPECT_DOUBLE_EQ(time, selection.time_ns);
    EXPECT_TRUE(can_be_launched(graph, space, selection.candidates));
    EXPECT_EQ(launch_order(graph, space, selection).size(), selection.candidates.size());
}

TEST(Exact, EqualsBruteForceOnSmallGraphs) {
    for (unsigned seed = 0; seed < 90; ++seed) {
        std::mt19937 random(seed);
        const Graph graph = random_graph(random, 2 + static_cast<int>(seed % 6));
        const CostedSpace space = random_space(random, graph);
        const std::vector<double> expected = brute_force(graph, space);
        const auto found = find_strategy("exact")->select(graph, space, 1);
        ASSERT_EQ(found.size(), 1U) << "seed " << seed;
        EXPECT_NEAR(found[0].time_ns, expected[0], 0.01) << "seed " << seed;
        EXPECT_EQ(found[0].bound, "optimal for the model");
        expect_selection(graph, space, found[0]);
    }
}

TEST(Exact, TheNBestAreInOrderAndDistinct) {
    for (unsigned seed = 100; seed < 115; ++seed) {
        std::mt19937 random(seed);
        const Graph graph = random_graph(random, 5);
        const CostedSpace space = random_space(random, graph);
        const std::vector<double> expected = brute_force(graph, space);
        const auto found = find_strategy("exact")->select(graph, space, 12);
        ASSERT_EQ(found.size(), std::min<std::size_t>(12, expected.size()));
        std::set<std::vector<std::size_t>> distinct;
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_NEAR(found[i].time_ns, expected[i], 0.01) << "seed " << seed << " place " << i;
            std::vector<std::size_t> sorted = found[i].candidates;
            std::sort(sorted.begin(), sorted.end());
            EXPECT_TRUE(distinct.insert(sorted).second);
            expect_selection(graph, space, found[i]);
        }
    }
}

TEST(Exact, GivesAllSelectionsWhereFewerExistThanAreAsked) {
    std::mt19937 random(3);
    const Graph graph = random_graph(random, 2);
    const CostedSpace space = costed({{{0}, 5, {}}, {{1}, 7, {}}, {{0, 1}, 9, {}}});
    const auto found = find_strategy("exact")->select(graph, space, 10);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_DOUBLE_EQ(found[0].time_ns, 9);
    EXPECT_DOUBLE_EQ(found[1].time_ns, 12);
}

/// Two chains of calls that read each other's: whatever is taken of each, pairs of sets wait for each other. A cut for
/// each pair of sets that is met would take hundreds of solutions.
TEST(Exact, ChainsThatCrossEverywhereEndSoonAtTheBest) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        std::mt19937 random(seed);
        ProgramBuilder b;
        constexpr std::uint32_t calls = 10;
        std::vector<VariableId> values{b.stream("a", "scalar"), b.stream("b", "scalar")};
        b.input(values);
        for (std::uint32_t k = 0; k < calls; ++k) {
            values.push_back(b.stream(fmt::format("r{}", k), "scalar"));
            b.call(values.back(), "f", {values[k], values[k + (random() % 2)]});
        }
        const Graph graph = *build_graph(b.output(values)).value;
        std::vector<Priced> list;
        std::uniform_real_distribution<double> part(0.9, 1.1);
        for (std::uint32_t mask = 1; mask < 1U << calls; ++mask) {
            std::vector<std::uint32_t> set;
            for (std::uint32_t k = 0; k < calls; ++k)
                if ((mask >> k & 1U) != 0) set.push_back(k);
            // Sets of every other call promise most.
            const bool apart =
                std::all_of(set.begin(), set.end(), [&](std::uint32_t k) { return (k - set[0]) % 2 == 0; });
            if (set.size() > 5 || (set.size() > 1 && !apart && set.back() - set[0] + 1 != set.size())) continue;
            list.push_back(
                {set, 1000.0 * (1 + (apart ? 0.3 : 0.6) * static_cast<double>(set.size())) * part(random), {}});
        }
        const CostedSpace space = costed(list);
        const auto found = find_strategy("exact")->select(graph, space, 1);
        ASSERT_EQ(found.size(), 1U) << "seed " << seed;
        EXPECT_NEAR(found[0].time_ns, brute_force(graph, space)[0], 0.01) << "seed " << seed;
        EXPECT_EQ(found[0].bound, "optimal for the model") << "seed " << seed;
    }
}

/// The crossing chains of contraction_test: the two cheapest fusions wait for each other.
TEST(Exact, FusionsThatWaitForEachOtherAreNotChosenTogether) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar"), c = b.stream("b", "scalar"), t = b.stream("t", "scalar"),
               v = b.stream("v", "scalar"), u = b.stream("u", "scalar"), w = b.stream("w", "scalar");
    b.input({a, c});
    b.call(t, "f", {a});
    b.call(v, "f", {c});
    b.call(u, "f", {t});
    b.call(w, "f", {v});
    const Graph graph = *build_graph(b.output({u, w})).value;
    const CostedSpace space = costed({{{0}, 10, {}},
                                      {{1}, 10, {}},
                                      {{2}, 10, {}},
                                      {{3}, 10, {}},
                                      {{0, 3}, 1, 4},
                                      {{0, 3}, 2, 4},
                                      {{1, 2}, 1, 5},
                                      {{1, 2}, 2, 5}});
    for (const char* strategy : {"exact", "greedy"}) {
        const auto found = find_strategy(strategy)->select(graph, space, 1);
        ASSERT_EQ(found.size(), 1U) << strategy;
        EXPECT_DOUBLE_EQ(found[0].time_ns, 21) << strategy;
    }
}

TEST(Exact, LargeTimesAreExactToThePicosecond) {
    std::mt19937 random(3);
    const Graph graph = random_graph(random, 2);
    const CostedSpace space = costed({{{0}, 4e6, {}}, {{1}, 5e6, {}}, {{0, 1}, 9e6 - 0.001, {}}});
    const auto found = find_strategy("exact")->select(graph, space, 2);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].candidates.size(), 1U);
    EXPECT_EQ(found[1].candidates.size(), 2U);
}

TEST(Strategies, NoneFusesNothingAndTakesTheBestOfEachCall) {
    std::mt19937 random(3);
    const Graph graph = random_graph(random, 2);
    const CostedSpace space = costed({{{0}, 5, {}}, {{1}, 7, {}}, {{0, 1}, 9, {}}});
    const auto found = find_strategy("none")->select(graph, space, 3);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(found[0].time_ns, 12);
}

TEST(Strategies, GreedyCoversAndIsNeverBetterThanExact) {
    for (unsigned seed = 200; seed < 230; ++seed) {
        std::mt19937 random(seed);
        const Graph graph = random_graph(random, 6);
        const CostedSpace space = random_space(random, graph);
        const auto greedy = find_strategy("greedy")->select(graph, space, 1);
        const auto exact = find_strategy("exact")->select(graph, space, 1);
        ASSERT_EQ(greedy.size(), 1U);
        expect_selection(graph, space, greedy[0]);
        EXPECT_GE(greedy[0].time_ns, exact[0].time_ns - 0.01);
    }
}

TEST(Strategies, ACallWithoutACandidateHasNoSelection) {
    std::mt19937 random(3);
    const Graph graph = random_graph(random, 2);
    for (const std::string& name : strategy_names()) {
        EXPECT_TRUE(find_strategy(name)->select(graph, costed({{{0}, 5, {}}}), 1).empty()) << name;
    }
}

TEST(Strategies, ACallThatRunsOnlyFusedIsCovered) {
    std::mt19937 random(3);
    const Graph graph = random_graph(random, 2);
    const CostedSpace space = costed({{{0}, 5, {}}, {{0, 1}, 90, {}}});
    for (const char* name : {"exact", "greedy"}) {
        const auto found = find_strategy(name)->select(graph, space, 1);
        ASSERT_EQ(found.size(), 1U) << name;
        EXPECT_DOUBLE_EQ(found[0].time_ns, 90);
    }
}

TEST(Strategies, AGraphWithoutCallsHasTheEmptySelection) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar");
    b.input({a});
    const Graph graph = *build_graph(b.output({a})).value;
    for (const std::string& name : strategy_names()) {
        const auto found = find_strategy(name)->select(graph, CostedSpace{}, 2);
        ASSERT_EQ(found.size(), 1U) << name;
        EXPECT_TRUE(found[0].candidates.empty());
    }
}

TEST(Strategies, UnknownNamesAreNull) { EXPECT_EQ(find_strategy("best"), nullptr); }

/// A hundred calls in a chain with every window of up to eight as a fusion: 772 columns.
TEST(Exact, AHundredCallsAreFast) {
    ProgramBuilder b;
    const auto v = b.stream("v", "scalar");
    b.input({v});
    for (int i = 0; i < 100; ++i) b.call(v, "f", {v});
    const Graph graph = *build_graph(b.output({v})).value;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(0.5, 1.0);
    std::vector<Priced> list;
    for (std::uint32_t first = 0; first < 100; ++first) {
        std::vector<std::uint32_t> calls;
        for (std::uint32_t call = first; call < std::min(first + 8, 100U); ++call) {
            calls.push_back(call);
            list.push_back({calls, 1000 + 5000 * static_cast<double>(calls.size()) * part(random), {}});
        }
    }
    const auto found = find_strategy("exact")->select(graph, costed(list), 3);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_LE(found[0].time_ns, found[1].time_ns);
    EXPECT_EQ(found[2].bound, "optimal for the model");
}

TEST(Exact, CallsThatStandApartTakeTheirBest) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        const Graph graph = random_graph(random, 6);
        std::uniform_real_distribution<double> time(1000, 2000);
        std::vector<Priced> list;
        for (std::uint32_t call = 0; call < 6; ++call) {
            std::vector<double> times(1 + random() % 3);
            for (double& t : times) t = time(random);
            std::sort(times.begin(), times.end());
            for (const double t : times) list.push_back({{call}, t, call});
        }
        const CostedSpace space = costed(list);
        const std::vector<double> expected = brute_force(graph, space);
        const auto found = find_strategy("exact")->select(graph, space, 5);
        ASSERT_EQ(found.size(), std::min<std::size_t>(5, expected.size()));
        for (std::size_t k = 0; k < found.size(); ++k) {
            EXPECT_NEAR(found[k].time_ns, expected[k], 0.01) << "seed " << seed;
            expect_selection(graph, space, found[k]);
        }
    }
}

TEST(Strategies, BeamAndRandomCoverEveryCallAndCanBeLaunched) {
    std::mt19937 random(5);
    int best = 0, graphs = 0;
    for (int round = 0; round < 60; ++round) {
        const int calls = 2 + static_cast<int>(random() % 5);
        const Graph graph = random_graph(random, calls);
        std::vector<Priced> list;
        for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(calls); ++k)
            list.push_back({{k}, 1.0 + static_cast<double>(random() % 100)});
        for (std::uint32_t k = 0; k + 1 < static_cast<std::uint32_t>(calls); ++k)
            if (convex(graph, {NodeId{k}, NodeId{k + 1}}, Program{}))
                list.push_back({{k, k + 1}, 1.0 + static_cast<double>(random() % 150)});
        const CostedSpace space = costed(list);
        const std::vector<double> all = brute_force(graph, space);
        ++graphs;
        for (const char* name : {"beam", "random", "random:7"}) {
            const auto found = find_strategy(name)->select(graph, space, 3);
            ASSERT_FALSE(found.empty()) << name;
            for (const Selection& s : found) {
                std::set<NodeId> covered;
                std::size_t calls_covered = 0;
                for (const std::size_t c : s.candidates)
                    for (const NodeId n : fusion_of(space.candidates[c].schedule).calls) {
                        covered.insert(n);
                        ++calls_covered;
                    }
                EXPECT_EQ(covered.size(), graph.nodes.size()) << name;
                EXPECT_EQ(calls_covered, graph.nodes.size()) << name;
                EXPECT_TRUE(can_be_launched(graph, space, s.candidates)) << name;
                EXPECT_GE(s.time_ns, all.front() - 1e-9) << name;
            }
        }
        best += find_strategy("beam")->select(graph, space, 1).front().time_ns < all.front() + 1e-9 ? 1 : 0;
    }
    EXPECT_EQ(best, graphs) << "with so few candidates the beam drops nothing";
}

TEST(Strategies, RandomRepeatsItsSeed) {
    std::mt19937 random(9);
    const Graph graph = random_graph(random, 6);
    std::vector<Priced> list;
    for (std::uint32_t k = 0; k < 6; ++k)
        for (const double time : {3.0, 4.0}) list.push_back({{k}, time});
    const CostedSpace space = costed(list);
    const auto draw = [&](const char* name) { return find_strategy(name)->select(graph, space, 1).front().candidates; };
    EXPECT_EQ(draw("random:3"), draw("random:3"));
    EXPECT_NE(draw("random:3"), draw("random:4"));
    EXPECT_EQ(find_strategy("random:"), nullptr);
    EXPECT_EQ(find_strategy("random:x"), nullptr);
}

}  // namespace
}  // namespace kasc
