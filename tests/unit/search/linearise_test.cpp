#include "search/linearise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::ProgramBuilder;

/// Peak of live words of one order, counted step by step from the values' first and last uses.
long long peak_of(const Graph& graph, const std::vector<NodeId>& order, const std::vector<int>& words) {
    std::map<ValueId, std::pair<std::size_t, std::size_t>> life;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<ValueId> touched = graph.nodes[order[i]].reads;
        touched.push_back(graph.nodes[order[i]].writes[0]);
        for (ValueId v : touched) life.try_emplace(v, i, i).first->second.second = i;
    }
    long long peak = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        long long live = 0;
        for (const auto& [v, span] : life) {
            if (span.first <= i && i <= span.second) live += words[v.index];
        }
        peak = std::max(peak, live);
    }
    return peak;
}

bool topological(const Graph& graph, const std::vector<NodeId>& order) {
    std::set<NodeId> done;
    return std::all_of(order.begin(), order.end(), [&](NodeId n) {
        const auto before = predecessors(graph, n);
        done.insert(n);
        return std::all_of(before.begin(), before.end(), [&](NodeId b) { return done.contains(b); });
    });
}

struct RandomGraph {
    Graph graph;
    std::vector<int> words;
    std::vector<NodeId> calls;
};

RandomGraph random_graph(unsigned seed, int size) {
    std::mt19937 random(seed);
    ProgramBuilder b;
    std::vector<VariableId> values{b.stream("a", "scalar"), b.stream("c", "scalar")};
    b.input(values);
    std::vector<VariableId> results;
    for (int i = 0; i < size; ++i) {
        const VariableId r = b.stream(fmt::format("r{}", i), "scalar");
        b.call(r, "f", {values[random() % values.size()], values[random() % values.size()]});
        values.push_back(r);
        results.push_back(r);
    }
    RandomGraph made;
    made.graph = *build_graph(b.output(results)).value;
    for (std::size_t v = 0; v < made.graph.values.size(); ++v)
        made.words.push_back(1 + static_cast<int>(random() % 25));
    made.calls = made.graph.nodes.ids();
    return made;
}

TEST(Linearise, HasTheLeastPeakOfAllOrders) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const RandomGraph r = random_graph(seed, 6);
        long long least = std::numeric_limits<long long>::max();
        std::vector<NodeId> order = r.calls;
        do {
            if (topological(r.graph, order)) least = std::min(least, peak_of(r.graph, order, r.words));
        } while (std::next_permutation(order.begin(), order.end()));
        const std::vector<NodeId> found = linearise(r.graph, r.calls, r.words);
        EXPECT_TRUE(topological(r.graph, found));
        EXPECT_EQ(peak_of(r.graph, found, r.words), least) << "seed " << seed;
    }
}

TEST(Linearise, LargeSetsKeepATopologicalOrderOfAllCalls) {
    for (int size : {13, 20, 40}) {
        const RandomGraph r = random_graph(5, size);
        std::vector<NodeId> found = linearise(r.graph, r.calls, r.words);
        EXPECT_TRUE(topological(r.graph, found));
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, r.calls);
    }
}

TEST(Linearise, TiesGoToTheFirstById) {
    const RandomGraph r = random_graph(1, 5);
    const std::vector<int> nothing(r.graph.values.size(), 0);
    EXPECT_EQ(linearise(r.graph, r.calls, nothing), r.calls);
}

}  // namespace
}  // namespace kasc
