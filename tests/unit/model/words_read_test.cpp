#include "model/field/words_read.hpp"

#include <gtest/gtest.h>

namespace kasc::model {
namespace {

/// Words of T, of 10 × 8 cells, that a kernel over `axes` with all these statements reads; p has 5 entries.
double words(const std::string& statements, const std::vector<std::string>& axes = {"x", "y"}) {
    const std::string text =
        "param int q = 1; float T[x, y], U[x, y], c[y], r[p]; int px[p], py[p]; input T, px, py; " + statements;
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    if (!program) return -1;
    const auto graph = build_graph(*program);
    EXPECT_TRUE(graph) << render_text(graph.diagnostics);
    if (!graph) return -1;
    Problem problem;
    std::vector<AxisId> walked;
    for (const AxisId axis : program->axes.ids()) {
        const std::string& name = program->axes[axis].name;
        problem.extents.push_back(name == "x" ? 10 : name == "y" ? 8 : 5);
        if (std::find(axes.begin(), axes.end(), name) != axes.end()) walked.push_back(axis);
    }
    std::vector<NodeId> calls;
    for (const NodeId node : graph->nodes.ids()) calls.push_back(node);
    return words_read(graph->inputs.front(), calls, walked, *program, *graph, problem);
}

TEST(WordsRead, EachCellOnce) {
    EXPECT_EQ(words("U = T; return U;"), 80);
    EXPECT_EQ(words("U = T + 2 * T; return U;"), 80);
}

TEST(WordsRead, OfPositionsALayerEach) {
    EXPECT_EQ(words("U = T[x = 0]; return U;"), 8);
    EXPECT_EQ(words("c = T[x = 0]; return c;", {"y"}), 8);
    EXPECT_EQ(words("c = T[x = 0] + T[x = q] * T[x = 0]; return c;", {"y"}), 16);
    EXPECT_EQ(words("U = T[x = 0, y = 0] + T[x = q]; return U;"), 9);
    EXPECT_EQ(words("U = T + T[x = 0]; return U;"), 80);  // never more than there are
}

TEST(WordsRead, OfPositionsThatCellsComputeAWordACell) {
    EXPECT_EQ(words("r = T[x = px, y = py]; return r;", {"p"}), 5);
    EXPECT_EQ(words("U = T[x = y, y = x]; return U;"), 80);
}

TEST(WordsRead, OfASliceNothingOfTheFormerButWhereAnotherCallSeesIt) {
    EXPECT_EQ(words("T[x = 0] = 1; return T;", {"y"}), 0);
    EXPECT_EQ(words("T[x = 0] = T[x = q]; return T;", {"y"}), 8);
    EXPECT_EQ(words("T[x = 0] = 1; U = T; return U;"), 80);
}

}  // namespace
}  // namespace kasc::model
