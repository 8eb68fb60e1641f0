// Parts of the explorer page: the layout of graphs, lines of programs and of emitted code, why kernels are apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driver/explorer/emitted_lines.hpp"
#include "driver/explorer/graph_layout.hpp"
#include "driver/explorer/neighbours.hpp"
#include "driver/explorer/program_lines.hpp"
#include "unit/driver/planned.hpp"

namespace kasc::explorer {
namespace {

TEST(GraphLayout, LeadsFromLayerToLayerWithRoomForEachNode) {
    const std::vector<std::pair<std::size_t, std::size_t>> edges{{0, 2}, {1, 2}, {2, 3}, {0, 4}, {3, 4}};
    const LaidOut laid = lay_out(6, edges);  // node 5 stands alone
    ASSERT_EQ(laid.nodes.size(), 6U);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const int from = laid.nodes[edges[e].first].layer, to = laid.nodes[edges[e].second].layer;
        EXPECT_LT(from, to);
        EXPECT_EQ(laid.bends[e].size(), static_cast<std::size_t>(to - from - 1)) << e;
    }
    for (std::size_t a = 0; a < 6; ++a) {
        EXPECT_GE(laid.nodes[a].x, 0);
        EXPECT_LE(laid.nodes[a].x + 1, laid.width);
        for (std::size_t b = a + 1; b < 6; ++b) {
            if (laid.nodes[a].layer != laid.nodes[b].layer) continue;
            EXPECT_GE(std::abs(laid.nodes[a].x - laid.nodes[b].x), 1);
        }
    }
    EXPECT_EQ(lay_out(0, {}).layers, 0);
}

TEST(GraphLayout, TakesTwistsOut) {
    // a → d, b → c: c and d change places.
    const LaidOut laid = lay_out(4, {{0, 3}, {1, 2}});
    EXPECT_EQ(laid.nodes[0].x < laid.nodes[1].x, laid.nodes[3].x < laid.nodes[2].x);
}

TEST(ProgramLines, AreCutWhereStatementsBeginAndEnd) {
    const std::string text = "a = f(b);\r\nc = 1;";
    const auto lines = program_lines(text, {{0, 9}, {4, 8}, {11, 17}});
    ASSERT_EQ(lines.size(), 2U);
    ASSERT_EQ(lines[0].size(), 3U);
    EXPECT_EQ(lines[0][0].text, "a = ");
    EXPECT_EQ(lines[0][0].statement, 0U);
    EXPECT_EQ(lines[0][1].text, "f(b)");
    EXPECT_EQ(lines[0][1].statement, 1U);
    EXPECT_EQ(lines[0][2].statement, 0U);
    EXPECT_EQ(lines[1][0].statement, 2U);
    EXPECT_TRUE(program_lines("", {}).empty());
}

/// A plan with its view and its emitted kernels.
struct Viewed {
    CompileRequest request;
    Compilation compilation;
    PlanView view;
    std::string kernels;

    explicit Viewed(const std::string& text) : request(test::request_of(text)) {
        request.plan.keep_all = true;
        request.steps = 1;
        compilation = test::planned(request);
        view = view_of(compilation, compilation.plans.front(), request.source);
        kernels = emit_plan(compilation, request, 0, emit::Target::cuda)->files[1].text;
    }
    [[nodiscard]] std::string statement(std::size_t number) const {
        const ViewedStatement& s = view.statements[number];
        return request.source->text.substr(s.begin, s.end - s.begin);
    }
    [[nodiscard]] std::string line(int number) const {
        std::size_t begin = 0;
        for (int k = 1; k < number; ++k) begin = kernels.find('\n', begin) + 1;
        return kernels.substr(begin, kernels.find('\n', begin) - begin);
    }
    /// Lines that compute the statement that begins so, but for comments.
    [[nodiscard]] std::vector<std::string> code_of(const std::string& begin) const {
        std::vector<std::string> found;
        const EmittedLines lines = emitted_lines(kernels, compilation, *compilation.plans.front().host, view);
        for (const StatementLine& l : lines.statements) {
            const std::string text = line(l.line);
            if (statement(l.statement).starts_with(begin) && text.find("//") == std::string::npos)
                found.push_back(text);
        }
        return found;
    }
};

TEST(EmittedCode, OfFieldsLeadsToTheStatementsWhoseValuesItAssigns) {
    const Viewed v(
        "param int steps = 4; float T[x, y] boundary keep(1), L[x, y]; input T;\n"
        "for (n = 0; n < steps; n++) { L = T[-1, 0] + T[1, 0] - 2*T; T = T + 0.1*L; } return T;");
    const auto laplacian = v.code_of("L ="), temperature = v.code_of("T =");
    ASSERT_FALSE(laplacian.empty());
    ASSERT_FALSE(temperature.empty());
    for (const std::string& line : laplacian) EXPECT_NE(line.find("L_"), std::string::npos) << line;
    for (const std::string& line : temperature) EXPECT_NE(line.find("T_new"), std::string::npos) << line;
    const EmittedLines lines = emitted_lines(v.kernels, v.compilation, *v.compilation.plans.front().host, v.view);
    std::size_t heads = 0;
    for (const kernel::Lowered& lowered : v.compilation.plans.front().host->kernels)
        heads += lowered.alternatives.size();
    ASSERT_EQ(lines.kernels.size(), heads);
    for (const KernelLines& l : lines.kernels) {
        EXPECT_EQ(v.line(l.first).substr(0, 2), "//");
        EXPECT_EQ(v.line(l.last), "}");
    }
}

TEST(EmittedCode, OfStreamsLeadsToItsCalls) {
    const Viewed v(
        "matrix3x3 A, B, C; input A, B; C = mmul33(A, B); C = transpose33(C); C = transpose33(C); return C;");
    EXPECT_EQ(v.code_of("C = mmul33").size(), 1U);
    // Equal texts are told apart by their order.
    EXPECT_EQ(v.code_of("C = transpose33").size(), 2U);
    ASSERT_EQ(v.view.statements.size(), 3U);
}

TEST(PlanViews, LoopsThatAKernelRunsAreItsOwn) {
    const Viewed v(
        "matrix3x3 A; param int n = 3; input A;\nfor (i = 0; i < n; i++) { A = transpose33(A); A = inverse33(A); }\n"
        "return A;");
    ASSERT_EQ(v.view.kernels.size(), 1U);
    ASSERT_EQ(v.view.graphs.size(), 2U);
    EXPECT_EQ(v.view.graphs[1].kernel, 0U);
    ASSERT_EQ(v.view.statements.size(), 3U);
    for (const ViewedStatement& s : v.view.statements) EXPECT_EQ(s.kernels, std::set<std::size_t>{0});
    EXPECT_EQ(v.statement(0), "for (i = 0; i < n; i++)");
    EXPECT_EQ(v.view.kernels[0].anchor, "kernel-0");
}

TEST(KernelPairs, SayWhyTheyAreApart) {
    const Viewed v("float T[x, y], U[x, y]; float s[]; input T; s = sum(T, x, y); U = T / s; return U;");
    ASSERT_GE(v.view.kernels.size(), 2U);
    const auto pairs = neighbours_of(v.compilation, v.view, 0);
    ASSERT_FALSE(pairs.empty());
    for (const KernelPair& pair : pairs) {
        EXPECT_NE(pair.first, pair.second);
        EXPECT_FALSE(pair.reason.empty());
        EXPECT_TRUE(pair.values.empty() != pair.shared.empty());
        EXPECT_EQ(pair.reason.find("has not priced"), std::string::npos) << pair.reason;
    }
}

}  // namespace
}  // namespace kasc::explorer
