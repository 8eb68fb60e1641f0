#include "search/legality.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "rewrite/order_lists.hpp"
#include "search/fusion_space.hpp"
#include "support/field_case.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::At;
using test::ProgramBuilder;

/// T = f(a) over x, y; the test adds a reader of T, which is node 1.
struct Reader : ::testing::Test {
    Reader() {
        a = b.field("a", {"x", "y"});
        t = b.field("T", {"x", "y"});
        u = b.field("u", {"x", "y"});
        line = b.field("line", {"y"});
        rec = b.field("rec", {"y", "t"});
        bar = b.field("bar", {"x"});
        b.input({a, line, bar});
        b.update(t, {{a, {}}}, 10);
    }
    Verdict verdict(VariableId output) {
        const Program program = b.output({output});
        const Outcome<Graph> graph = build_graph(program);
        return may_fuse(program, *graph, NodeId{0}, NodeId{1}, graph->nodes[NodeId{0}].writes[0]);
    }
    static At here() { return At::offset(0); }
    static At at(int position) { return At::absolute(ProgramBuilder::literal(position)); }

    ProgramBuilder b;
    VariableId a, t, u, line, rec, bar;
};

TEST_F(Reader, OfThePointFuses) {
    b.update(u, {{t, {}}});
    EXPECT_EQ(verdict(u).reason(), "T is read at the cell itself: registers");
}

TEST_F(Reader, OfNeighboursRecomputes) {
    b.update(u, {{t, {At::offset(-1), here()}}, {t, {At::offset(1), here()}}, {t, {}}});
    const Verdict v = verdict(u);
    EXPECT_TRUE(v);
    EXPECT_EQ(v.reason(), "recomputed in the kernel: T is read at 3 offsets, 10 operations each");
}

TEST_F(Reader, OfManyNeighboursIsTooMuchWork) {
    std::vector<test::Read> reads;
    for (int i = 1; i <= 61; ++i) reads.push_back({t, {At::offset(i), here()}});
    b.update(u, reads);
    const Verdict v = verdict(u);
    EXPECT_FALSE(v);
    EXPECT_EQ(v.reason(), "recomputation: T is read at 61 offsets, 10 operations each, more than 600 a cell");
}

TEST_F(Reader, OfASliceStoresWhereTheThreadStands) {
    b.update(line, {{t, {at(4), here()}}});
    EXPECT_EQ(verdict(line).reason(), "the thread at x=4 stores it");
}

TEST_F(Reader, OfASliceInASeriesFuses) {
    b.update(rec, {{t, {at(4), here()}}}, 1, {here(), at(0)});
    EXPECT_TRUE(verdict(rec));
}

TEST_F(Reader, OfTwoPositionsDoesNot) {
    b.update(line, {{t, {at(4), here()}}, {t, {at(5), here()}}});
    EXPECT_EQ(verdict(line).reason(), "T is read at more than one position");
}

TEST_F(Reader, OfASliceUnderAnotherShapeDoesNot) {
    b.update(u, {{t, {at(4), here()}}});
    EXPECT_FALSE(verdict(u));
}

TEST_F(Reader, WithinASliceDoesNot) {
    b.update(line, {{t, {at(4), At::offset(1)}}});
    EXPECT_EQ(verdict(line).reason(),
              "T is read at neighbours within a slice, or at positions that each cell computes");
}

TEST_F(Reader, ThatOverwritesASliceIsOneStore) {
    b.update(t, {{line, {}}}, 1, {at(0), here()});
    EXPECT_EQ(verdict(t).reason(), "the slice is stored in place of T.0 by the same thread");
}

TEST_F(Reader, ThatAddsASourceAtOneCellFuses) {
    b.update(t, {{t, {at(3), at(4)}}, {line, {at(0)}}}, 1, {at(3), at(4)});
    EXPECT_TRUE(verdict(t));
}

TEST_F(Reader, ThatWritesAtAnotherPlaceThanItReadsDoesNot) {
    b.update(t, {{t, {at(1), here()}}}, 1, {at(0), here()});
    EXPECT_FALSE(verdict(t));
}

TEST(Legality, AValueAssignedAtOnePlaceIsNotReadInTheSameKernel) {
    ProgramBuilder b;
    const auto p = b.field("p", {"x"}), u = b.field("u", {"x"}), s = b.field("s", {"t"});
    b.input({p, s});
    b.update(p, {{s, {At::absolute(ProgramBuilder::literal(0))}}}, 1, {At::absolute(ProgramBuilder::literal(3))});
    b.update(u, {{p, {}}});
    const Program program = b.output({u});
    const Outcome<Graph> graph = build_graph(program);
    EXPECT_FALSE(may_fuse(program, *graph, NodeId{0}, NodeId{1}, graph->nodes[NodeId{0}].writes[0]));
}

TEST(Legality, BroadcastsDoNotChangeTheAxes) {
    ProgramBuilder b;
    const auto a = b.field("a", {"x"}), s = b.field("s", {"x"}), u = b.field("u", {"x", "y"});
    b.input({a});
    b.update(s, {{a, {}}});
    b.update(u, {{s, {}}});
    const Program program = b.output({u});
    const Outcome<Graph> graph = build_graph(program);
    const Verdict v = may_fuse(program, *graph, NodeId{0}, NodeId{1}, graph->nodes[NodeId{0}].writes[0]);
    EXPECT_EQ(v.reason(), "mixed iteration axes: s is computed over [x], its reader over [x,y]");
}

/// Whether two assignments to slices of one series may be one kernel.
Verdict slices_together(const ExpressionRef& first, const ExpressionRef& second) {
    ProgramBuilder b;
    const auto a = b.field("a", {"x"}), rec = b.field("rec", {"x", "t"});
    b.input({a});
    b.update(rec, {{a, {}}}, 1, {At::offset(0), At::absolute(first)});
    b.update(rec, {{a, {}}}, 1, {At::offset(0), At::absolute(second)});
    const Program program = b.output({rec});
    const Outcome<Graph> graph = build_graph(program);
    return may_stand_together(program, *graph, find_call_roles(program, *graph), NodeId{0}, NodeId{1});
}

TEST(Legality, SlicesOfOneSeriesStandTogetherWhereTheyAreApart) {
    const auto at = [](int p) { return ProgramBuilder::literal(p); };
    EXPECT_EQ(slices_together(at(0), at(1)).reason(), "slices of rec.0 at other places");
    EXPECT_FALSE(slices_together(at(1), at(1))) << "the second is assigned in place of the first";
    const ExpressionRef one = at(1);
    const auto open = std::make_shared<const Expression>(
        Expression{BinaryOperation{BinaryOperator::add, one, one}, ScalarKind::integer, {}});
    EXPECT_FALSE(slices_together(at(0), open)) << "nobody has computed where it is";
}

TEST(Legality, NobodyReadsWhatASliceOverwritesInTheSameKernel) {
    ProgramBuilder b;
    const auto p = b.field("p", {"x", "y"}), q = b.field("q", {"x", "y"}), s = b.field("s", {"t"});
    b.input({p, s});
    b.update(q, {{p, {}}});
    const auto at = [](int i) { return At::absolute(ProgramBuilder::literal(i)); };
    b.update(p, {{s, {at(0)}}}, 1, {at(3), at(4)});
    const Program program = b.output({p, q});
    const Outcome<Graph> graph = build_graph(program);
    EXPECT_EQ(may_stand_together(program, *graph, find_call_roles(program, *graph), NodeId{0}, NodeId{1}).reason(),
              "one call assigns a slice in place of what the other reads");
}

/// Statements of which each reads the one before at both sides, along x or along y.
Verdict chain_along(const std::string& axes) {
    ProgramBuilder b;
    std::vector<VariableId> v{b.field("v", {"x", "y"})};
    b.input({v[0]});
    std::vector<NodeId> calls;
    for (const char axis : axes) {
        v.push_back(b.field(fmt::format("v{}", v.size()), {"x", "y"}));
        const auto at = [&](int step) {
            return axis == 'x' ? std::vector{At::offset(step), At::offset(0)}
                               : std::vector{At::offset(0), At::offset(step)};
        };
        b.update(v.back(), {{v[v.size() - 2], at(-1)}, {v[v.size() - 2], at(1)}});
        calls.push_back(NodeId{static_cast<std::uint32_t>(calls.size())});
    }
    const Program program = b.output({v.back()});
    const Outcome<Graph> graph = build_graph(program);
    return bounded_recomputation(program, *graph, calls);
}

TEST(Legality, ThreeNearReadsInARowAreTooDeep) {
    EXPECT_TRUE(chain_along("xxy"));
    EXPECT_EQ(chain_along("xxyx").reason(), "recomputation: 3 near reads in a row, more than 2");
    EXPECT_FALSE(chain_along("xyxy"));
    EXPECT_TRUE(chain_along("xyyy"));  // what the first one reads is made elsewhere
}

TEST(Legality, AlongOneAxisManyMayStandInARow) {
    EXPECT_TRUE(chain_along("xxxxxx"));
    EXPECT_TRUE(chain_along("yyyyyy"));
    EXPECT_EQ(chain_along("xxxxxxxxxxxxxxxx").reason(), "recomputation: 15 near reads in a row, more than 14");
}

TEST(Legality, RecomputationAddsUpOverASet) {
    ProgramBuilder b;
    const auto a = b.field("a", {"x"}), c = b.field("c", {"x"}), d = b.field("d", {"x"}), e = b.field("e", {"x"});
    b.input({a});
    std::vector<test::Read> of_c, of_d;
    for (int i = -3; i <= 3; ++i) of_c.push_back({c, {At::offset(i)}});
    for (int i = -3; i <= 3; ++i) of_d.push_back({d, {At::offset(7 * i)}});
    b.update(c, {{a, {}}}, 20);
    b.update(d, of_c, 20);
    b.update(e, of_d, 20);
    const Program program = b.output({e});
    const Outcome<Graph> graph = build_graph(program);
    EXPECT_TRUE(bounded_recomputation(program, *graph, {NodeId{0}, NodeId{1}}));
    EXPECT_TRUE(bounded_recomputation(program, *graph, {NodeId{1}, NodeId{2}}));
    EXPECT_FALSE(bounded_recomputation(program, *graph, {NodeId{0}, NodeId{1}, NodeId{2}}));
}

std::string text_of(const Verdict& v) { return (v ? "yes: " : "no: ") + v.reason() + "\n"; }

/// Verdicts for pairs of the calls that no second fold is, in the order of the program: "0 1: …".
std::string fold_verdicts(const std::string& statements, const std::string& returned) {
    const test::FieldCase c("float u[x,y] boundary mirror, v[x,y], w[x,y], r[], m[], line[x], column[y]; input u, w; " +
                            statements + " return " + returned + ";");
    std::vector<NodeId> calls;
    for (const NodeId node : c.graph.nodes.ids()) {
        const FieldStatement& s = std::get<FieldUpdate>(c.graph.nodes[node].what).statement;
        if (!s.fold || s.fold->parts) calls.push_back(node);
    }
    const CallRoles roles = find_call_roles(c.program, c.graph);
    std::string text;
    for (std::size_t a = 0; a < calls.size(); ++a)
        for (std::size_t b = a + 1; b < calls.size(); ++b)
            text += text_of(may_stand_together(c.program, c.graph, roles, calls[a], calls[b]));
    return text;
}

std::string addition_verdict(const std::string& statements, const std::string& returned) {
    const test::FieldCase c(
        "axis k = 8; float u[x,y]; int bin[x,y], h[k], g[k], r[x], all[]; int64 s[k]; input u, h, g, s, r, all; " +
        statements + " return " + returned + ";");
    const CallRoles roles = find_call_roles(c.program, c.graph);
    return text_of(may_stand_together(c.program, c.graph, roles, NodeId{0}, NodeId{1}));
}

TEST(Additions, JoinWhatComputesTheirLabels) {
    EXPECT_EQ(addition_verdict("bin = int(8*u); h[k = bin] += 1;", "h"),
              "yes: bin is read at the cell itself: registers\n");
    EXPECT_EQ(addition_verdict("h[k = int(8*u)] += 1; s[k = int(8*u)] += x;", "h, s"), "yes: both run over [x,y]\n");
    EXPECT_EQ(addition_verdict("h = 0; h[k = int(8*u)] += 1;", "h"),
              "no: entries of a list add to h, whose cells are there before\n");
    EXPECT_EQ(addition_verdict("h[k = int(8*u)] += 1; h[k = 7 - int(8*u)] += 1;", "h"),
              "no: entries of a list add to h: it is complete when its kernel ends\n");
    EXPECT_EQ(addition_verdict("h[k = int(8*u)] += 1; bin = h[k = x % 8];", "h, bin"),
              "no: entries of a list add to h: it is complete when its kernel ends\n");
    EXPECT_EQ(addition_verdict("r = x; h[k = int(8*u)] += 1;", "h, r"),
              "no: mixed iteration axes: entries along [x,y] add to h, cells of [x] are computed\n");
}

/// What two statements add along ordered lists: verdicts on their chunks, and on their cells.
std::string list_verdicts(const std::string& statements) {
    const test::FieldCase written(
        "float f[x, y], g[x, y], u[i]; double m[x, y]; float kept[x, y] boundary keep(1);\n"
        "int px[i], py[i]; input f, g, m, kept, u, px, py;\n" +
        statements + " return f, g, m, kept;");
    const Program program = order_lists(written.program).program;
    const Outcome<Graph> graph = build_graph(program);
    const CallRoles roles = find_call_roles(program, *graph);
    std::map<Adding::Part, std::vector<NodeId>> calls;
    for (const NodeId node : graph->nodes.ids())
        if (const auto* update = std::get_if<FieldUpdate>(&graph->nodes[node].what); update && update->statement.adding)
            calls[update->statement.adding->part].push_back(node);
    std::string text;
    for (const auto part : {Adding::Part::chunks, Adding::Part::cells}) {
        const Verdict v = may_stand_together(program, *graph, roles, calls[part].at(0), calls[part].at(1));
        text += v.reason() + "\n";
    }
    return text;
}

TEST(Additions, ByOneListGoThroughItTogether) {
    const std::string once = "a thread goes through the entries of its cell once\n";
    const std::string other =
        "f_sums is summed up by entries of a list, the other not by the same\n"
        "f is summed up by entries of a list, the other not by the same\n";
    EXPECT_EQ(list_verdicts("f[x = px, y = py] += u; g[x = px, y = py] += 2*u;"), once + once);
    EXPECT_EQ(list_verdicts("f[x = px, y = py] += u; m[x = px, y = py] += u*f[x = 0, y = 0];"),
              once + "f is assigned at the cells of a list\n")
        << "the second reads what the first has added; its chunks wait for that in between";
    EXPECT_EQ(list_verdicts("f[x = px, y = py] += u; m[x = px, y = py] += u;"), once + once) << "in double";
    EXPECT_EQ(list_verdicts("f[x = px, y = py] += u; g[x = py, y = px] += u;"), other);
    EXPECT_EQ(list_verdicts("f[x = px, y = py] += u; kept[x = px, y = py] += u;"), other);
}

TEST(Folds, JoinWhatComputesTheirCells) {
    EXPECT_EQ(fold_verdicts("v = u*2; r = sum(v*v);", "v, r"), "yes: v is read at the cell itself: registers\n");
    EXPECT_EQ(fold_verdicts("r = sum(u); m = maximum(u - w);", "r, m"), "yes: both run over [x,y]\n");
    EXPECT_EQ(fold_verdicts("line = sum(u, y); column = sum(u, x);", "line, column"), "yes: both run over [x,y]\n");
    EXPECT_EQ(fold_verdicts("r = sum(u); column = sum(u, x);", "r, column"),
              "no: the two fold their cells in different orders\n");
    EXPECT_EQ(fold_verdicts("v[x = 3] = w[x = 3]; r = sum(w);", "v, r"),
              "no: what is assigned at a position is not folded beside other cells\n");
    EXPECT_EQ(fold_verdicts("line = 1; r = sum(line*u);", "line, r"),
              "no: mixed iteration axes: cells of [x,y] are folded, of [x] computed\n");
}

}  // namespace
}  // namespace kasc
