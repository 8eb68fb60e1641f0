// The list of strategies, their seeds, and budgets.
#include <gtest/gtest.h>

#include <set>

#include "unit/select/costed_builder.hpp"

namespace kasc {
namespace {

using test::costed;

/// Calls that read one input and have nothing to do with each other otherwise.
Graph side_by_side(int calls) {
    test::ProgramBuilder b;
    const auto a = b.stream("a", "scalar");
    b.input({a});
    std::vector<VariableId> results;
    for (int k = 0; k < calls; ++k) {
        results.push_back(b.stream("x" + std::to_string(k), "scalar"));
        b.call(results.back(), "f", {a});
    }
    return *build_graph(b.output(results)).value;
}

TEST(StrategyList, EveryNameIsFoundAndNamedWhereOneIsUnknown) {
    const Diagnostics unknown = strategy_faults("best");
    ASSERT_EQ(unknown.size(), 1U);
    EXPECT_EQ(unknown.front().code, "K0902");
    ASSERT_GE(strategies().size(), 5U);
    std::set<std::string> names;
    for (const StrategyInfo& info : strategies()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.description.empty()) << info.name;
        const auto strategy = find_strategy(info.name);
        ASSERT_NE(strategy, nullptr) << info.name;
        EXPECT_EQ(strategy->name(), info.name);
        EXPECT_NE(unknown.front().help.find(info.name), std::string::npos) << unknown.front().help;
    }
}

TEST(StrategyList, ASeedIsForThoseThatUseOne) {
    for (const StrategyInfo& info : strategies()) {
        const bool seeded = !info.seeded.empty();
        EXPECT_EQ(find_strategy(info.name, 3) != nullptr, seeded) << info.name;
        EXPECT_EQ(find_strategy(info.name + ":3") != nullptr, seeded) << info.name;
        if (seeded) continue;
        const Diagnostics said = strategy_faults(info.name, 3);
        ASSERT_EQ(said.size(), 1U);
        EXPECT_EQ(said.front().message, "strategy '" + info.name + "' leaves nothing to a seed");
        EXPECT_NE(said.front().help.find("greedy, beam, random"), std::string::npos) << said.front().help;
    }
    EXPECT_EQ(strategy_faults("random:3", 4).front().message, "'random:3' and a seed of 4 are two seeds");
    EXPECT_TRUE(strategy_faults("random:3", 3).empty());
    EXPECT_EQ(strategy_faults("random:x").front().message, "'random:x' has no seed behind its colon");
    EXPECT_EQ(strategy_faults("random:99999999999").front().code, "K0902");
    EXPECT_EQ(strategy_faults("best:3").front().message, "there is no strategy 'best:3'");
}

/// Every pair of neighbours saves the same: which are taken is left to the seed.
TEST(StrategyList, TheSeedBreaksTiesAndNothingElse) {
    const Graph graph = side_by_side(9);
    std::vector<test::Priced> list;
    for (std::uint32_t k = 0; k < 9; ++k) list.push_back({{k}, 10});
    for (std::uint32_t k = 0; k + 1 < 9; ++k) list.push_back({{k, k + 1}, 15});
    const CostedSpace space = costed(list);
    for (const char* name : {"greedy", "beam", "random"}) {
        std::set<std::vector<std::size_t>> found;
        for (unsigned seed = 0; seed < 12; ++seed) {
            const auto one = find_strategy(name, seed)->select(graph, space, 1);
            const auto again = find_strategy(name + (":" + std::to_string(seed)))->select(graph, space, 1);
            ASSERT_EQ(one.size(), 1U);
            EXPECT_EQ(one.front().candidates, again.front().candidates) << name;
            found.insert(one.front().candidates);
        }
        EXPECT_GT(found.size(), 1U) << name << " never decides otherwise";
    }
    // One pair saves more than any other: every seed takes it.
    list[9 + 4].time_ns = 14;
    const CostedSpace clear = costed(list);
    for (unsigned seed = 0; seed < 12; ++seed) {
        const auto chosen = find_strategy("greedy", seed)->select(graph, clear, 1).front().candidates;
        EXPECT_NE(std::find(chosen.begin(), chosen.end(), 9U + 4U), chosen.end()) << seed;
    }
}

/// What is priced once more must be what is selected then: draws do not depend on how many choices a fusion holds.
TEST(StrategyList, RandomDrawsTheSameFusionsHoweverManyChoicesAreHeld) {
    const Graph graph = side_by_side(8);
    std::vector<test::Priced> few, many;
    std::uint32_t id = 0;
    for (std::uint32_t k = 0; k < 8; ++k) {
        for (std::uint32_t size = 1; size < 3 && k + size <= 8; ++size, ++id) {
            std::vector<std::uint32_t> calls{k};
            if (size == 2) calls.push_back(k + 1);
            few.push_back({calls, 10, id});
            for (std::uint32_t c = 0; c <= id % 3; ++c) many.push_back({calls, 10.0 + c, id});
        }
    }
    const CostedSpace one = costed(few), more = costed(many);
    const auto fusions = [](const CostedSpace& space, const Selection& s) {
        std::vector<FusionId> all;
        for (const std::size_t c : s.candidates) all.push_back(space.candidates[c].fusion);
        return all;
    };
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto random = find_strategy("random", seed);
        EXPECT_EQ(fusions(one, random->select(graph, one, 1).at(0)),
                  fusions(more, random->select(graph, more, 1).at(0)));
    }
}

TEST(Budget, IsOfSchedulesOrOfSeconds) {
    EXPECT_EQ(read_budget("2000").schedules, 2000);
    EXPECT_EQ(read_budget("5s").seconds, 5);
    EXPECT_EQ(read_budget("500ms").seconds, 0.5);
    EXPECT_EQ(read_budget("2m").seconds, 120);
    EXPECT_EQ(read_budget("1.5s").seconds, 1.5);
    EXPECT_FALSE(read_budget("").schedules || read_budget("").seconds);
    for (const char* bad : {"0", "-1", "1.5", "s", "5x", "5 s", "nan", "inf", "1e300", "1e300s", "5s5", "0s"})
        EXPECT_EQ(budget_faults(bad).at(0).code, "K0915") << bad;
}

}  // namespace
}  // namespace kasc
