#include <gtest/gtest.h>

#include <set>

#include "search/stream_choices.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using testing::ProgramBuilder;

Implementation with_threads(int threads) {
    Implementation implementation;
    implementation.block = {Extent{threads, {}}, Extent{{}, 32}, Extent{1, {}}};
    return implementation;
}

struct Choices : ::testing::Test {
    void build(int calls, const std::vector<int>& threads) {
        const VariableId v = b.stream("v", "scalar");
        b.input({v});
        for (int i = 0; i < calls; ++i) b.call(v, "f", {v});
        for (int t : threads) b.library.functions[FunctionId{0}].implementations.push_back(with_threads(t));
        graph = *build_graph(b.output({v})).value;
        fusion.calls = graph.nodes.ids();
    }
    ProgramBuilder b;
    Graph graph;
    Fusion fusion;
};

TEST_F(Choices, EveryCombinationOnceUniformThreadsFirst) {
    build(2, {1, 3});
    const StreamChoices found = stream_choices(graph, b.library, fusion, 4000);
    EXPECT_EQ(found.cut, "");
    EXPECT_EQ(found.choices.size(), 4U * 6U * 2U);
    EXPECT_EQ(found.choices[0].implementations, (std::vector<int>{0, 0}));
    EXPECT_EQ(found.choices[12].implementations, (std::vector<int>{1, 1}));
    EXPECT_EQ(found.choices[24].implementations, (std::vector<int>{0, 1}));
    const std::set<StreamChoice> distinct(found.choices.begin(), found.choices.end());
    EXPECT_EQ(distinct.size(), found.choices.size());
}

TEST_F(Choices, AnExplodingProductIsCutAndSaysSo) {
    build(8, {1, 3, 9, 1});
    const StreamChoices found = stream_choices(graph, b.library, fusion, 600);
    EXPECT_EQ(found.choices.size(), 600U);
    EXPECT_EQ(stream_choices(graph, b.library, fusion, 4).choices.size(), 4U);
    EXPECT_EQ(found.cut, "50 of 65536 combinations of implementations, those with one number of threads first");
}

TEST_F(Choices, AFunctionWithoutAnImplementationHasNone) {
    build(2, {});
    EXPECT_TRUE(stream_choices(graph, b.library, fusion, 600).choices.empty());
}

TEST_F(Choices, PrintSaysWhatIsChosen) {
    EXPECT_EQ(print(Choice{StreamChoice{{0, 2}, 96, 1, TileTransfer::staged}}),
              "implementations 1-3 elements 96 rounds 1 transfer staged padding 0");
    EXPECT_EQ(print(Choice{FieldChoice{Walk::column, 64, 4, 4, 16}}),
              "column 64x4 vector 4 rows 1 chunk 16 unroll 1 neighbours registers borders cell");
}

}  // namespace
}  // namespace kasc
