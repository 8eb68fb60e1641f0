#include <gtest/gtest.h>

#include "graph/graph.hpp"
#include "support/field_case.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::At;
using test::ProgramBuilder;

const LoopNode& loop_at(const Graph& graph, std::uint32_t node) {
    return std::get<LoopNode>(graph.nodes[NodeId{node}].what);
}

TEST(BuildGraph, AnAssignmentMakesANewValue) {
    ProgramBuilder b;
    const auto v = b.stream("v", "vector3"), w = b.stream("w", "scalar");
    b.input({v, w});
    b.call(v, "scale", {v, w});
    b.call(v, "scale", {v, w});
    const Program program = b.output({v});
    const Outcome<Graph> graph = build_graph(program);
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    EXPECT_EQ(print(*graph, program, b.library),
              "inputs v.0, w\n"
              "n0  v.1 = scale(v.0, w)\n"
              "n1  v.2 = scale(v.1, w)\n"
              "outputs v.2\n");
}

TEST(BuildGraph, DropsWhatIsNeverNeededAndNamesIt) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar"), t = b.stream("t", "scalar"), r = b.stream("r", "scalar");
    b.input({a});
    b.call(t, "f", {a});
    b.call(t, "f", {t});
    b.call(r, "g", {a});
    const Outcome<Graph> graph = build_graph(b.output({r}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->nodes.size(), 1U);
    ASSERT_EQ(graph.diagnostics.size(), 2U);
    EXPECT_EQ(graph.diagnostics[0].code, "K0245");
    EXPECT_EQ(graph.diagnostics[0].severity, Severity::warning);
    EXPECT_EQ(text_of(graph.diagnostics[0].span), "t = f(a);");
    EXPECT_EQ(text_of(graph.diagnostics[1].span), "t = f(t);");
}

TEST(BuildGraph, AnOverwrittenValueIsDropped) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar"), t = b.stream("t", "scalar");
    b.input({a});
    b.call(t, "f", {a});
    b.call(t, "g", {a});
    const Outcome<Graph> graph = build_graph(b.output({t}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->nodes.size(), 1U);
    EXPECT_EQ(text_of(graph->nodes[NodeId{0}].span), "t = g(a);");
}

TEST(BuildGraph, ALoopCarriesAndCaptures) {
    ProgramBuilder b;
    const auto v = b.stream("v", "vector3"), w = b.stream("w", "scalar");
    b.input({v, w});
    b.loop("i", 0, 3, [&] { b.call(v, "scale", {v, w}); });
    const Program program = b.output({v});
    const Outcome<Graph> graph = build_graph(program);
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    EXPECT_EQ(print(*graph, program, b.library),
              "inputs v.0, w\n"
              "n0  loop i  carries v: v.0 → v.1  captures w\n"
              "  inputs v.0, w\n"
              "  n0  v.1 = scale(v.0, w)\n"
              "  outputs v.1\n"
              "outputs v.1\n");
}

TEST(BuildGraph, ATemporaryOfTheBodyIsNotCarried) {
    ProgramBuilder b;
    const auto v = b.stream("v", "vector3"), t = b.stream("t", "vector3");
    b.input({v});
    b.loop("i", 0, 3, [&] {
        b.call(t, "f", {v});
        b.call(v, "g", {t});
    });
    const Outcome<Graph> graph = build_graph(b.output({v}));
    ASSERT_TRUE(graph);
    ASSERT_EQ(loop_at(*graph, 0).carried.size(), 1U);
    EXPECT_EQ(loop_at(*graph, 0).carried[0].variable, v);
}

TEST(BuildGraph, CarriesWhatOnlyTheNextIterationReads) {
    ProgramBuilder b;
    const auto v = b.stream("v", "scalar"), h = b.stream("h", "scalar");
    b.input({v, h});
    b.loop("i", 0, 3, [&] {
        b.call(v, "f", {v, h});
        b.call(h, "g", {h});
    });
    const Outcome<Graph> graph = build_graph(b.output({v}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    const LoopNode& loop = loop_at(*graph, 0);
    ASSERT_EQ(loop.carried.size(), 2U);
    EXPECT_TRUE(consumers(*graph, loop.carried[1].result).empty());
}

TEST(BuildGraph, TheOuterValueMattersWhereTheLoopMayRunNoIteration) {
    for (const bool literal : {true, false}) {
        ProgramBuilder b;
        const auto a = b.stream("a", "scalar"), v = b.stream("v", "scalar");
        b.input({a, v});
        b.loop("i", ProgramBuilder::literal(0), literal ? ProgramBuilder::literal(3) : b.parameter("n", 3),
               [&] { b.call(v, "f", {a}); });
        const Outcome<Graph> graph = build_graph(b.output({v}));
        ASSERT_TRUE(graph);
        EXPECT_EQ(verify(*graph), "");
        EXPECT_EQ(loop_at(*graph, 0).carried.at(0).initial.has_value(), !literal);
    }
}

TEST(BuildGraph, NestedLoopsPassValuesThrough) {
    ProgramBuilder b;
    const auto v = b.stream("v", "vector3"), w = b.stream("w", "scalar");
    b.input({v, w});
    b.loop("i", 0, 3, [&] { b.loop("k", 0, 2, [&] { b.call(v, "scale", {v, w}); }); });
    const Outcome<Graph> graph = build_graph(b.output({v}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    const LoopNode& inner = loop_at(*loop_at(*graph, 0).body, 0);
    EXPECT_EQ(inner.carried.size(), 1U);
    EXPECT_EQ(inner.captured.size(), 1U);
    EXPECT_EQ(inner.body->nodes.size(), 1U);
}

TEST(BuildGraph, DeepNestsTakeNoExponentialTime) {
    ProgramBuilder b;
    std::vector<VariableId> v;
    for (int i = 0; i < 20; ++i) v.push_back(b.stream(fmt::format("v{}", i), "scalar"));
    b.input(v);
    std::function<void(std::size_t)> nest = [&](std::size_t depth) {
        if (depth + 1 == v.size()) return;
        b.call(v[depth], "f", {v[depth + 1]});
        b.loop(fmt::format("i{}", depth), 0, 2, [&] { nest(depth + 1); });
    };
    nest(0);
    const Outcome<Graph> graph = build_graph(b.output({v[0]}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
}

TEST(BuildGraph, ADeadLoopIsOneWarning) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar"), t = b.stream("t", "scalar");
    b.input({a});
    b.loop("i", 0, 3, [&] {
        b.call(t, "f", {a});
        b.call(t, "f", {t});
    });
    const Outcome<Graph> graph = build_graph(b.output({a}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->nodes.size(), 0U);
    EXPECT_EQ(graph.diagnostics.size(), 1U);
}

TEST(BuildGraph, KeepReadsTheFormerValueAndSoDoesASlice) {
    ProgramBuilder b;
    const auto t = b.field("T", {"x", "y"}, 2), q = b.field("q", {"x", "y"});
    const auto rec = b.field("rec", {"x", "t"});
    b.input({t, q});
    b.update(t, {{t, {At::offset(-1), At::offset(0)}}, {q, {}}});
    b.update(rec, {{t, {At::offset(0), At::absolute(b.literal(5))}}}, 1, {At::offset(0), At::absolute(b.literal(0))});
    b.update(rec, {{t, {At::offset(0), At::absolute(b.literal(6))}}}, 1, {At::offset(0), At::absolute(b.literal(1))});
    const Outcome<Graph> graph = build_graph(b.output({t, rec}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    const auto former = [&](std::uint32_t n) { return std::get<FieldUpdate>(graph->nodes[NodeId{n}].what).former; };
    EXPECT_EQ(former(0), graph->inputs[0]);
    EXPECT_EQ(former(1), std::nullopt);
    EXPECT_EQ(former(2), graph->nodes[NodeId{1}].writes[0]);
}

TEST(BuildGraph, ASeriesFilledInALoopHasNoFormerValue) {
    ProgramBuilder b;
    const auto v = b.field("v", {"x"}), rec = b.field("rec", {"x", "t"});
    b.input({v});
    b.loop("n", 0, 5, [&] {
        b.update(v, {{v, {}}});
        b.update(rec, {{v, {}}}, 1, {At::offset(0), At::absolute(b.literal(0))});
    });
    const Outcome<Graph> graph = build_graph(b.output({rec}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    const LoopNode& loop = loop_at(*graph, 0);
    ASSERT_EQ(loop.carried.size(), 2U);
    EXPECT_FALSE(loop.carried[1].initial);
    EXPECT_FALSE(loop.carried[1].entering);
}

TEST(BuildGraph, AReadWithoutAValueIsAnError) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar"), r = b.stream("r", "scalar");
    b.call(r, "f", {a});
    const Outcome<Graph> graph = build_graph(b.output({r}));
    EXPECT_FALSE(graph);
    ASSERT_EQ(graph.diagnostics.size(), 1U);
    EXPECT_EQ(graph.diagnostics[0].code, "K0208");
}

TEST(BuildGraph, RunningSumsReadTheirCellsAndSayAlongWhat) {
    const auto program = read_program(
        make_source("p.kas",
                    "float a[x, y], s[x, y], r[x, t]; param int n = 3; axis t = n; input a; s = running_sum(2*a, -x);"
                    "for (k = 0; k < n; k++) { s = s*0.5; r[t = k] = running_maximum(s[y = 1], x); } return s, r;"),
        Library{});
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    const Outcome<Graph> graph = build_graph(*program);
    ASSERT_TRUE(graph);
    EXPECT_EQ(verify(*graph), "");
    EXPECT_EQ(print(*graph, *program, Library{}),
              "inputs a\n"
              "n0  s.0 = update by running sum along -x  // s = running_sum(2*a, -x)\n"
              "      reads a: point\n"
              "n1  loop k  carries s: s.0 → s.1, r: nothing → r\n"
              "  inputs s.0\n"
              "  n0  s.1 = update  // s = s*0.5\n"
              "        reads s.0: point\n"
              "  n1  r_running_maximum = update by running maximum along x  // running_maximum(s[y = 1], x)\n"
              "        reads s.1: slice y=1\n"
              "  n2  r = update  // r[t = k] = running_maximum(s[y = 1], x)\n"
              "        reads r_running_maximum: point\n"
              "  outputs s.1, r\n"
              "outputs s.1, r\n");
}

TEST(BuildGraph, TheTextOfAWordEndsBeforeItFillsAPage) {
    const auto text_of_word = [](const std::string& statement) {
        const test::FieldCase c(
            "type arrow = float[3]; arrow u[x], v[x]; input u;"
            "function turned(a) = arrow(a.y*a.z, a.z, a.x) + 0.5*a; " +
            statement + " return v;");
        return node_text(c.graph, c.program, NodeId{0});
    };
    EXPECT_EQ(text_of_word("v = turned(u);"), "v_x = u_y * u_z + 0.5 * u_x");
    const std::string text = text_of_word("v = turned(turned(turned(turned(u))));");
    EXPECT_EQ(text.substr(0, 7), "v_x = (");
    EXPECT_EQ(text.substr(text.size() - 4), " …");
    EXPECT_LT(text.size(), 260U);
}

}  // namespace
}  // namespace kasc
