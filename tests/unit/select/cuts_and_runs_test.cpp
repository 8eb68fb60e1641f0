// Cuts and runs against all there are of small cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/least_time.hpp"
#include "search/set_rules.hpp"
#include "select/candidate.hpp"
#include "select/minimum_cut.hpp"
#include "select/runs.hpp"
#include "unit/select/random_calls.hpp"

namespace kasc {
namespace {

TEST(CutNetwork, CutsTheLeastOfAllCuts) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        constexpr std::size_t vertices = 8;
        struct Edge {
            std::size_t from, to;
            double capacity;
        };
        std::vector<Edge> edges;
        for (int k = 0; k < 18; ++k)
            edges.push_back({random() % vertices, random() % vertices, static_cast<double>(random() % 10)});
        std::erase_if(edges, [](const Edge& e) { return e.from == e.to || e.from == 1 || e.to == 0; });
        CutNetwork network(vertices);
        for (const Edge& e : edges) network.set_capacity(network.add_edge(e.from, e.to), e.capacity);
        const auto cut_by = [&](const auto& side) {
            double sum = 0;
            for (const Edge& e : edges) sum += side(e.from) && !side(e.to) ? e.capacity : 0;
            return sum;
        };
        double least = 1e9;
        for (unsigned set = 1; set < 1U << vertices; set += 4)  // with the source, without the sink
            least = std::min(least, cut_by([&](std::size_t v) { return (set >> v & 1U) != 0; }));
        const std::vector<bool> side = network.source_side(1e-12);
        EXPECT_TRUE(side[0] && !side[1]);
        EXPECT_EQ(cut_by([&](std::size_t v) { return static_cast<bool>(side[v]); }), least) << round;
    }
}

TEST(Runs, AreTheBestOfAllWaysToTakeAnOrderApart) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        const test::RandomCalls r(seed, 10);
        const SetRules rules(r.program, r.graph, {});
        const auto closed = [&](const NodeSet& set) {
            NodeSet closure = rules.connections().closure(members_of(set));
            return rules.state(members_of(closure)).ends ? NodeSet(set.size()) : closure;
        };
        std::mt19937 random(seed);
        std::map<NodeSet, double> costs;
        const auto cost = [&](const NodeSet& set) {
            return costs.try_emplace(set, static_cast<double>(100 + random() % 100)).first->second;
        };
        Members order(r.graph.nodes.size());
        std::iota(order.begin(), order.end(), 0U);
        const Runs runs(order, order.size(), single_units(r.graph), rules.connections(), closed);
        double found = 0;
        NodeSet held(order.size());
        std::vector<double> by_part;
        for (const NodeSet& set : runs.parts()) by_part.push_back(cost(set));
        for (const std::size_t part : runs.best(by_part)) {
            const NodeSet& set = runs.parts()[part];
            EXPECT_FALSE(set.intersects(held));
            EXPECT_TRUE(rules.is_fusion(members_of(set)));
            held |= set;
            found += cost(set);
        }
        EXPECT_TRUE(held.all());
        // Connected runs alone, each way: a border behind a call or none.
        for (unsigned borders = 0; borders < 1U << (order.size() - 1); ++borders) {
            double sum = 0;
            Members run;
            for (std::uint32_t n = 0; n < order.size() && sum < 1e9; ++n) {
                run.push_back(n);
                if (n + 1 < order.size() && (borders >> n & 1U) == 0) continue;
                sum += rules.is_fusion(run) ? cost(set_of(run, order.size())) : 1e9;
                run.clear();
            }
            EXPECT_GE(sum, found) << "seed " << seed;
        }
    }
}

/// Whatever the axes, the type and the extents: small fields, where waiting is all, and large ones.
void no_kernel_takes_less(const std::string& made, double within) {
    std::size_t kernels = 0;
    double closest = 1e9;
    for (const auto& [axes, extent] : {std::pair{"x", 1000LL},
                                       {"x", 100LL},
                                       {"x", 10000000LL},
                                       {"xy", 64LL},
                                       {"xy", 1000LL},
                                       {"xyz", 20LL},
                                       {"xyz", 256LL}}) {
        for (const char* type : {"float", "double"}) {
            const test::RandomFields r(7, 9, axes, type, extent, made);
            const FusionSpace space = enumerate_fusions(r.program, r.graph, {8, 400});
            const CostedSpace all = cost_space(r.program, r.graph, r.library, r.device, r.problem, space, {.keep = 9});
            const LeastTimes least(r.program, r.graph, *all.expanded, r.library, r.device, r.problem);
            for (const Candidate& c : all.candidates) {
                const double at_least = least.of(all.space.fusions[c.fusion]);
                ASSERT_GE(c.prediction.time_ns, at_least * (1 - 1e-12)) << axes << " of " << extent << ", " << type;
                closest = std::min(closest, c.prediction.time_ns / at_least);
                ++kernels;
            }
            for (const Fusion& fusion : all.space.fusions) {
                double memory = 0, arithmetic = 0, own = 0;
                for (const NodeId call : fusion.calls) {
                    arithmetic += least.of(call).arithmetic_ns;
                    own += least.of(call).own_ns;
                    for (const LeastTouch& write : least.of(call).writes) memory += write.ns;
                }
                for (const double near : {0.0, 0.5 * memory, memory, 3 * memory}) {
                    const LeastLine line = least.line_at(near, arithmetic / 2, true);
                    EXPECT_LE(line.fixed_ns + line.memory * memory + line.arithmetic * arithmetic + own,
                              (least.of_kernel(memory, arithmetic, true) + own) * (1 + 1e-9));
                }
            }
        }
    }
    EXPECT_GT(kernels, 1000U);
    EXPECT_LT(closest, within) << "a bound that says something";
}

TEST(LeastTimes, NoKernelOverFieldsTakesLess) { no_kernel_takes_less("{}", 1.01); }
TEST(LeastTimes, NoKernelWithSlowPathsTakesLess) {
    no_kernel_takes_less("1/(1 + 1/(2 + sqrt({0}))) + sqrt(3 + {0})/(4 + {0})", 1.015);
    no_kernel_takes_less("({0})/(2 + {0})", 1.015);
}

}  // namespace
}  // namespace kasc
