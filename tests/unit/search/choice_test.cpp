#include <gtest/gtest.h>

#include <set>
#include <string>

#include "search/stream_choices.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::ProgramBuilder;

Implementation with_threads(int threads) {
    Implementation implementation;
    implementation.block = {Extent{threads, {}}, Extent{{}, 32}, Extent{1, {}}};
    return implementation;
}

/// A thread an element, in a block that its author fixed.
Implementation with_fixed_block(int elements) {
    Implementation implementation;
    implementation.name = "fixed_" + std::to_string(elements);
    implementation.block = {Extent{elements, {}}, Extent{1, {}}, Extent{1, {}}};
    implementation.save.type = TypeId{0};  // of one word
    implementation.save.pattern = {"tx", "1", "1", 1, false, {}, {}, {}, {}};
    return implementation;
}

struct Choices : ::testing::Test {
    StreamChoices choices(std::size_t most) {
        Enumerations enumerations(b.library);
        ElementNumbers numbers(enumerations);
        return stream_choices(graph, numbers, fusion, most);
    }
    /// Calls of f, then of g, of a scalar.
    void build_two(const std::vector<Implementation>& of_f, const std::vector<Implementation>& of_g) {
        const VariableId v = b.stream("v", "scalar");
        b.input({v});
        b.call(v, "f", {v});
        b.call(v, "g", {v});
        b.library.functions[FunctionId{0}].implementations = of_f;
        b.library.functions[FunctionId{1}].implementations = of_g;
        graph = *build_graph(b.output({v})).value;
        fusion.calls = graph.nodes.ids();
    }
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
    const StreamChoices found = choices(4000);
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
    const StreamChoices found = choices(600);
    EXPECT_EQ(found.choices.size(), 600U);
    EXPECT_EQ(choices(4).choices.size(), 4U);
    EXPECT_EQ(found.cut, "50 of 65536 combinations of implementations, those with one number of threads first");
}

TEST_F(Choices, AFunctionWithoutAnImplementationHasNone) {
    build(2, {});
    EXPECT_TRUE(choices(600).choices.empty());
}

TEST_F(Choices, AFixedBlockHasItsOwnNumberOfElements) {
    build_two({with_threads(1)}, {with_fixed_block(10)});
    const StreamChoices found = choices(4000);
    ASSERT_EQ(found.choices.size(), 2U);  // both transfers
    for (const StreamChoice& choice : found.choices) EXPECT_EQ(choice.elements, 10);
    EXPECT_EQ(found.cut, "");
}

TEST_F(Choices, FixedBlocksMeetWhereTheyServeOneNumber) {
    build_two({with_fixed_block(10), with_fixed_block(7)},
              {with_fixed_block(7), with_fixed_block(12), with_threads(1)});
    std::set<std::pair<std::vector<int>, int>> found;
    for (const StreamChoice& choice : choices(4000).choices) found.emplace(choice.implementations, choice.elements);
    EXPECT_EQ(found, (std::set<std::pair<std::vector<int>, int>>{{{0, 2}, 10}, {{1, 0}, 7}, {{1, 2}, 7}}));
    EXPECT_EQ(choices(4000).cut, "");
    EXPECT_EQ(choices(2).cut, "1 of 3 combinations of implementations, those with one number of threads first");
}

TEST_F(Choices, FixedBlocksThatDisagreeHaveNoChoice) {
    build_two({with_fixed_block(10)}, {with_fixed_block(7), with_fixed_block(12)});
    const StreamChoices found = choices(4000);
    EXPECT_TRUE(found.choices.empty());
    EXPECT_EQ(found.none,
              "no number of elements suits all fixed blocks: those of f serve 10, those of g serve 7 or 12");
}

TEST_F(Choices, ManyFixedBlocksAreNotTriedOneByOne) {
    // 4^16 combinations, of which 4 serve one number throughout.
    const VariableId v = b.stream("v", "scalar");
    b.input({v});
    for (int i = 0; i < 16; ++i) b.call(v, "f", {v});
    for (const int elements : {3, 5, 7, 9})
        b.library.functions[FunctionId{0}].implementations.push_back(with_fixed_block(elements));
    graph = *build_graph(b.output({v})).value;
    fusion.calls = graph.nodes.ids();
    EXPECT_EQ(choices(4000).choices.size(), 4U * 2U);
}

TEST_F(Choices, PrintSaysWhatIsChosen) {
    EXPECT_EQ(print(Choice{StreamChoice{{0, 2}, 96, 1, TileTransfer::staged}}),
              "implementations 1-3 elements 96 rounds 1 transfer staged padding 0");
    EXPECT_EQ(print(Choice{FieldChoice{Walk::column, 64, 4, 4, 16}}),
              "column 64x4 vector 4 rows 1 chunk 16 unroll 1 neighbours registers borders cell");
}

}  // namespace
}  // namespace kasc
