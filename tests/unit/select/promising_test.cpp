#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "graph/expand.hpp"
#include "model/least_time.hpp"
#include "select/promising_sets.hpp"
#include "select/relaxation.hpp"
#include "select/selection.hpp"
#include "unit/select/random_calls.hpp"

namespace kasc {
namespace {

using test::RandomCalls;

CostedSpace promising(const RandomCalls& r, const CostOptions& options, const SearchBounds& bounds = {}) {
    const SetRules rules(r.program, r.graph, bounds);
    return cost_promising(r.program, r.graph, r.b.library, r.device, planned_problem(r.program), rules, options, {},
                          *find_strategy("exact"));
}

/// "… faster by more than 0.3 %": 0.3; none: nothing is said.
std::optional<double> may_gain(const std::string& cut) {
    const std::string words = "no selection with another is faster by more than ";
    const std::size_t at = cut.find(words);
    if (at == std::string::npos) return std::nullopt;
    return std::stod(cut.substr(at + words.size()));
}

TEST(Promising, FindsTheBestOfAllFusions) {
    for (const unsigned seed : {1U, 2U, 3U}) {
        const RandomCalls r(seed, 18);
        const Problem problem = planned_problem(r.program);
        const FusionSpace space = enumerate_fusions(r.program, r.graph, {16, 20000});
        ASSERT_GT(space.fusions.size(), 250U) << "too few to leave any out";
        ASSERT_LT(space.fusions.size(), 5000U) << "seed " << seed;
        const auto exact = find_strategy("exact");
        const CostedSpace all = cost_space(r.program, r.graph, r.b.library, r.device, problem, space, {});
        const CostedSpace some = promising(r, {});
        const double best = exact->select(r.graph, all, 1).at(0).time_ns;
        const double found = exact->select(r.graph, some, 1).at(0).time_ns;
        EXPECT_LE(found, best * 1.01) << "seed " << seed;
        EXPECT_LT(some.space.fusions.size(), space.fusions.size()) << "seed " << seed;
        const auto gain = may_gain(some.space.cut);
        ASSERT_TRUE(gain.has_value()) << some.space.cut;
        EXPECT_LE(found * (1 - (*gain + 0.05) / 100), best) << "what is said of the rest must hold";
        const LeastTimes least(r.program, r.graph, *all.expanded, r.b.library, r.device, problem);
        for (const Candidate& c : all.candidates)
            ASSERT_GE(c.prediction.time_ns, least.of(all.space.fusions[c.fusion]) * (1 - 1e-12));
    }
}

TEST(Promising, FusionsStandInOrderAndAreDistinct) {
    const RandomCalls r(5, 30);
    const CostedSpace some = promising(r, {});
    std::vector<std::pair<std::size_t, std::vector<NodeId>>> keys;
    for (const Fusion& fusion : some.space.fusions) {
        std::vector<NodeId> calls = fusion.calls;
        std::sort(calls.begin(), calls.end());
        keys.emplace_back(calls.size(), std::move(calls));
    }
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
    for (std::size_t c = 1; c < some.candidates.size(); ++c)
        EXPECT_LE(some.candidates[c - 1].fusion, some.candidates[c].fusion);
    for (const Candidate& c : some.candidates) {
        std::vector<NodeId> calls = fusion_of(c.schedule).calls;
        std::sort(calls.begin(), calls.end());
        EXPECT_EQ(keys.at(c.fusion.index).second, calls);
    }
}

TEST(Promising, FindsTheSameWithEachCall) {
    const RandomCalls r(7, 30);
    const CostedSpace a = promising(r, {}), b = promising(r, {});
    EXPECT_EQ(print(a, r.program, r.graph), print(b, r.program, r.graph));
}

TEST(Promising, KeepsWishedCallsTogether) {
    const RandomCalls r(3, 30);
    const CostedSpace open = promising(r, {});
    const FusionId last{static_cast<std::uint32_t>(open.space.fusions.size() - 1)};
    std::vector<NodeId> calls = open.space.fusions[last].calls;
    std::sort(calls.begin(), calls.end());
    ASSERT_GT(calls.size(), 1U);
    CostOptions options;
    options.wishes.push_back({calls, {}, {}});
    const CostedSpace wished = promising(r, options);
    std::size_t with = 0;
    for (const Fusion& fusion : wished.space.fusions) {
        std::vector<NodeId> both, sorted = fusion.calls;
        std::sort(sorted.begin(), sorted.end());
        std::set_intersection(calls.begin(), calls.end(), sorted.begin(), sorted.end(), std::back_inserter(both));
        EXPECT_TRUE(both.empty() || sorted == calls);
        with += sorted == calls ? 1 : 0;
    }
    EXPECT_EQ(with, 1U);
}

/// A bound for every set of calls that it does not show: against all sets of a small graph.
TEST(PromisingSets, ShowEverySetThatIsWorthMoreThanItsLeastTime) {
    for (unsigned seed = 1; seed < 9; ++seed) {
        const RandomCalls r(seed, 12);
        const Problem problem = planned_problem(r.program);
        const FusionSpace space = enumerate_fusions(r.program, r.graph, {16, 20000});
        ASSERT_TRUE(space.whole);
        const LeastTimes least(r.program, r.graph, r.graph, r.b.library, r.device, problem);
        const SetRules rules(r.program, r.graph, {});
        std::mt19937 random(seed);
        std::vector<double> worth;
        for (const NodeId node : r.graph.nodes.ids()) {
            const FusionMaker maker(r.graph);
            worth.push_back(least.of(maker.of({node.index})) * static_cast<double>(random() % 1000) / 1000);
        }
        std::set<std::vector<std::uint32_t>> expected, found;
        for (const Fusion& fusion : space.fusions) {
            double held = 0;
            std::vector<std::uint32_t> members;
            for (const NodeId call : fusion.calls) held += worth[call.index], members.push_back(call.index);
            std::sort(members.begin(), members.end());
            if (members.size() > 1 && held > 1.0001 * least.of(fusion)) expected.insert(members);
        }
        const Units units = single_units(r.graph);
        PromisingSets sets(r.graph, rules, least, units, NodeSet(r.graph.nodes.size()));
        const Unlooked rest = sets.find(worth, 1, {1'000'000, 1'000'000'000}, [&](const NodeSet& set, double, double) {
            std::vector<std::uint32_t> members;
            for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m))
                members.push_back(static_cast<std::uint32_t>(m));
            EXPECT_TRUE(found.insert(members).second) << "twice";
            return true;
        });
        EXPECT_EQ(rest.ratio, 1);
        EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end())) << "seed " << seed;
        EXPECT_FALSE(expected.empty()) << "seed " << seed;
        // Ended early, the rest is bounded.
        for (const std::size_t steps : {0U, 1U, 5U, 20U}) {
            std::set<std::vector<std::uint32_t>> shown;
            const Unlooked left = sets.find(worth, 1, {steps, 1'000'000'000}, [&](const NodeSet& set, double, double) {
                std::vector<std::uint32_t> members;
                for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m))
                    members.push_back(static_cast<std::uint32_t>(m));
                shown.insert(members);
                return true;
            });
            for (const Fusion& fusion : space.fusions) {
                double held = 0;
                std::vector<std::uint32_t> members;
                for (const NodeId call : fusion.calls) held += worth[call.index], members.push_back(call.index);
                std::sort(members.begin(), members.end());
                if (members.size() < 2 || shown.contains(members)) continue;
                EXPECT_LE(held, left.ratio * least.of(fusion) * (1 + 1e-9)) << "seed " << seed << ", " << steps;
            }
        }
    }
}

/// Every partition costs at least the relaxation's value and the reduced costs of its columns.
TEST(RelaxedPartition, BoundsEveryPartition) {
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        PartitionProblem problem;
        problem.rows = 5;
        for (int row = 0; row < problem.rows; ++row)
            problem.columns.push_back({{row}, 1000 + static_cast<int>(random() % 1000)});
        for (int k = 0; k < 12; ++k) {
            Column column;
            for (int row = 0; row < problem.rows; ++row)
                if (random() % 2 == 0) column.rows.push_back(row);
            column.cost = 500 + static_cast<int>(random() % 4000);
            if (!column.rows.empty()) problem.columns.push_back(column);
        }
        const Relaxation relaxed = relax_partition(problem);
        double least = 1e18;
        const std::function<void(unsigned, std::size_t, double, double)> extend =
            [&](unsigned covered, std::size_t from, double cost, double reduced) {
                if (covered == 31) {
                    least = std::min(least, cost);
                    EXPECT_GE(cost * (1 + 1e-6), relaxed.value + reduced);
                    return;
                }
                for (std::size_t c = from; c < problem.columns.size(); ++c) {
                    unsigned rows = 0;
                    for (const int row : problem.columns[c].rows) rows |= 1U << static_cast<unsigned>(row);
                    if ((rows & covered) != 0) continue;
                    extend(covered | rows, c + 1, cost + static_cast<double>(problem.columns[c].cost),
                           reduced + relaxed.reduced_costs[c]);
                }
            };
        extend(0, 0, 0, 0);
        EXPECT_GT(relaxed.value, 0.5 * least) << "a bound that says something";
        for (const double cost : relaxed.reduced_costs) EXPECT_GE(cost, -1e-3);
    }
}

/// Columns that come later, and costs that change, give what a new start gives.
TEST(RelaxedPartition, GrowsToWhatIsSolvedAtOnce) {
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        PartitionProblem problem;
        problem.rows = 12;
        for (int row = 0; row < problem.rows; ++row) problem.columns.push_back({{row}, 1000});
        Relaxer relaxer;
        for (int step = 0; step < 15; ++step) {
            const Relaxation grown = relaxer.relax(problem), anew = relax_partition(problem);
            EXPECT_NEAR(grown.value, anew.value, 1e-6 * anew.value) << round << ", " << step;
            double worth = 0, taken = 0;
            for (const double row : grown.worth) worth += row;
            for (std::size_t c = 0; c < problem.columns.size(); ++c)
                taken += grown.taken[c] * static_cast<double>(problem.columns[c].cost);
            EXPECT_NEAR(worth, grown.value, 1e-6 * grown.value);
            EXPECT_NEAR(taken, grown.value, 1e-6 * grown.value);
            for (int k = 0; k < 4; ++k) {
                Column column;
                for (int row = 0; row < problem.rows; ++row)
                    if (random() % 3 == 0) column.rows.push_back(row);
                column.cost = 400 * static_cast<int>(column.rows.size()) + static_cast<int>(random() % 900);
                if (!column.rows.empty()) problem.columns.push_back(column);
            }
            problem.columns[random() % problem.columns.size()].cost += 50;
        }
    }
}

}  // namespace
}  // namespace kasc
