#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "graph/expand.hpp"
#include "select/partition.hpp"
#include "select/selection.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::ProgramBuilder;

/// Calls drawn at random, each of some of the last values of its types.
struct RandomCalls {
    RandomCalls(unsigned seed, int calls) {
        b.library = *read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"}).value;
        device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
        std::mt19937 random(seed);
        std::map<std::string, std::vector<VariableId>> values;
        std::vector<VariableId> inputs;
        for (const char* type : {"matrix3x3", "vector3", "scalar"}) {
            for (int k = 0; k < 2; ++k) {
                inputs.push_back(b.stream(std::string(type, 1) + std::to_string(k), type));
                values[type].push_back(inputs.back());
            }
        }
        b.input(inputs);
        const std::vector<std::string> names{"mmul33", "madd33", "mvmul33", "vadd3",
                                             "vdot3",  "svmul3", "smmul33", "sadd"};
        std::set<VariableId> unread;
        for (int k = 0; k < calls; ++k) {
            const std::string& name = names[random() % names.size()];
            const Function& function = b.library.functions[*b.library.find_function(name)];
            std::vector<VariableId> arguments;
            for (const TypeId type : function.arguments) {
                const auto& of_type = values[b.library.types[type].name];
                const std::size_t last = std::min<std::size_t>(3, of_type.size());
                arguments.push_back(of_type[of_type.size() - 1 - random() % last]);
                unread.erase(arguments.back());
            }
            const std::string& type = b.library.types[function.result].name;
            const VariableId result = b.stream("x" + std::to_string(k), type);
            b.call(result, name, arguments);
            values[type].push_back(result);
            unread.insert(result);
        }
        program = b.output({unread.begin(), unread.end()});
        graph = *build_graph(program).value;
    }
    ProgramBuilder b;
    Device device;
    Program program;
    Graph graph;
};

TEST(Promising, FindsTheBestOfAllFusions) {
    std::size_t passed_over = 0;
    for (const unsigned seed : {1U, 2U, 3U}) {
        const RandomCalls r(seed, 18);
        const Problem problem = planned_problem(r.program);
        const FusionSpace space = enumerate_fusions(r.program, r.graph, {});
        ASSERT_GT(space.fusions.size(), 250U) << "too few to leave any out";
        ASSERT_LT(space.fusions.size(), 5000U) << "seed " << seed;
        const auto exact = find_strategy("exact");
        const CostedSpace all = cost_space(r.program, r.graph, r.b.library, r.device, problem, space, {});
        const CostedSpace some =
            cost_promising(r.program, r.graph, r.b.library, r.device, problem, space, {}, {}, *exact);
        const double best = exact->select(r.graph, all, 1).at(0).time_ns;
        EXPECT_LE(exact->select(r.graph, some, 1).at(0).time_ns, best * (1 + 1e-9)) << "seed " << seed;
        if (some.space.cut.find("cannot be in a better selection") != std::string::npos) ++passed_over;
        for (const Candidate& c : all.candidates) {
            const double least =
                least_time_ns(all.space.fusions[c.fusion], r.program, *all.expanded, r.b.library, r.device, problem);
            ASSERT_GE(c.prediction.time_ns, least);
        }
    }
    EXPECT_GT(passed_over, 0U);
}

TEST(Promising, SaysWhatTheRestMayGain) {
    const RandomCalls r(7, 100);
    CostOptions few;
    few.max_evaluations = 100;
    const auto exact = find_strategy("exact");
    const CostedSpace some = cost_promising(r.program, r.graph, r.b.library, r.device, planned_problem(r.program),
                                            enumerate_fusions(r.program, r.graph, {}), few, {}, *exact);
    EXPECT_NE(some.space.cut.find("are left out: no selection with one of them is faster by more than"),
              std::string::npos)
        << some.space.cut;
    EXPECT_EQ(exact->select(r.graph, some, 1).size(), 1U);
}

TEST(Promising, WhatIsLeftOutIsNeverSaidToBeSlowerThanTheBest) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        const RandomCalls r(seed, 60);
        CostOptions next_best;
        next_best.max_evaluations = 1000;
        next_best.keep = 2;
        const CostedSpace some =
            cost_promising(r.program, r.graph, r.b.library, r.device, planned_problem(r.program),
                           enumerate_fusions(r.program, r.graph, {}), next_best, {}, *find_strategy("exact"));
        EXPECT_EQ(some.space.cut.find("more than -"), std::string::npos) << some.space.cut;
        const bool gain = some.space.cut.find("faster by more than") != std::string::npos;
        EXPECT_FALSE(gain && some.space.whole);
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

}  // namespace
}  // namespace kasc
