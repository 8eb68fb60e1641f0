#include <gtest/gtest.h>

#include <map>

#include "select/selection.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::At;
using test::ProgramBuilder;

Device device(const std::string& name) { return *read_device(name, std::string(KASC_SOURCE_DIR) + "/devices").value; }

/// F = norm(A·B·c) · (D·E) with the library's functions.
struct BigFusion : ::testing::Test {
    BigFusion() {
        b.library = *read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"}).value;
        const auto a = b.stream("A", "matrix3x3"), c = b.stream("B", "matrix3x3"), m = b.stream("M", "matrix3x3"),
                   v = b.stream("v", "vector3"), w = b.stream("w", "vector3"), n = b.stream("n", "scalar"),
                   d = b.stream("D", "matrix5x5"), e = b.stream("E", "matrix5x5"), f = b.stream("F", "matrix5x5");
        b.input({a, c, v, d, e});
        b.call(m, "mmul33", {a, c});
        b.call(w, "mvmul33", {m, v});
        b.call(n, "venorm3", {w});
        b.call(f, "mmul55", {d, e});
        b.call(f, "smmul55", {f, n});
        program = b.output({f});
        graph = *build_graph(program).value;
    }
    [[nodiscard]] CostedSpace costed(const CostOptions& options, const std::string& on = "h100") const {
        return cost_space(program, graph, b.library, device(on), planned_problem(program),
                          enumerate_fusions(program, graph, {}), options);
    }
    ProgramBuilder b;
    Program program;
    Graph graph;
};

TEST_F(BigFusion, FusingIsPredictedToBeFaster) {
    for (const char* on : {"h100", "a100"}) {
        const CostedSpace space = costed({}, on);
        const auto exact = find_strategy("exact")->select(graph, space, 1),
                   none = find_strategy("none")->select(graph, space, 1);
        ASSERT_EQ(exact.size(), 1U);
        ASSERT_EQ(none.size(), 1U);
        EXPECT_LT(exact[0].time_ns, 0.7 * none[0].time_ns);
        // Every input read and the output written once at the copy rate bounds every selection.
        const double bound = 4.0 * (9 + 9 + 3 + 25 + 25 + 25) * (1 << 21) / device(on).copy_gb_s;
        EXPECT_GT(exact[0].time_ns, bound);
        EXPECT_LT(exact[0].time_ns, 1.6 * bound);
    }
}

TEST_F(BigFusion, CandidatesOfAFusionStandInOrderOfTime) {
    const CostedSpace space = costed({.keep = 5, .max_choices = 300, .max_evaluations = 10'000});
    std::map<FusionId, std::size_t> held;
    for (std::size_t i = 0; i < space.candidates.size(); ++i) {
        const Candidate& c = space.candidates[i];
        EXPECT_LE(++held[c.fusion], 5U);
        if (i == 0 || space.candidates[i - 1].fusion != c.fusion) continue;
        EXPECT_LE(space.candidates[i - 1].prediction.time_ns, c.prediction.time_ns);
    }
}

TEST_F(BigFusion, TheBestOfAFusionDoesNotDependOnHowManyAreKept) {
    const CostedSpace one = costed({}), many = costed({.keep = 6, .max_choices = 4000, .max_evaluations = 10'000});
    std::map<FusionId, double> best;
    for (const Candidate& c : many.candidates) best.try_emplace(c.fusion, c.prediction.time_ns);
    // `many` has a larger share of evaluations, and may find a little better.
    for (const Candidate& c : one.candidates)
        EXPECT_NEAR(c.prediction.time_ns, best.at(c.fusion), 0.01 * best.at(c.fusion));
    EXPECT_EQ(one.candidates.size(), best.size());
}

TEST_F(BigFusion, IsTheSameEveryTime) {
    EXPECT_EQ(print(costed({}), program, graph), print(costed({}), program, graph));
}

TEST_F(BigFusion, BoundsAreStated) {
    const CostedSpace space = costed({.keep = 1, .max_choices = 24, .max_evaluations = 24});
    EXPECT_NE(space.space.cut.find("combinations of implementations"), std::string::npos) << space.space.cut;
    EXPECT_LE(space.evaluated, 24 * space.space.fusions.size());
}

TEST(CostSpace, ACallWithoutAnImplementationIsInfeasible) {
    ProgramBuilder b;
    const auto a = b.stream("a", "scalar"), r = b.stream("r", "scalar");
    b.input({a});
    b.call(r, "f", {a});
    const Program program = b.output({r});
    const Graph graph = *build_graph(program).value;
    const CostedSpace space = cost_space(program, graph, b.library, device("h100"), planned_problem(program),
                                         enumerate_fusions(program, graph, {}), {});
    EXPECT_TRUE(space.candidates.empty());
    ASSERT_EQ(space.infeasible.size(), 1U);
    EXPECT_EQ(space.infeasible[0].reason, "a function has no implementation for a GPU");
}

/// A chain of point updates is one kernel; a record of one line goes with it.
TEST(CostSpace, FieldsFuseOnGpuAndCpu) {
    ProgramBuilder b;
    const auto t = b.field("T", {"x", "y"}), q = b.field("q", {"x", "y"}), rec = b.field("rec", {"y", "t"});
    b.input({t, q});
    b.update(t, {{t, {}}, {q, {}}}, 3);
    b.update(t, {{t, {}}, {q, {}}}, 3);
    b.update(rec, {{t, {At::absolute(b.literal(5)), At::offset(0)}}}, 1, {At::offset(0), At::absolute(b.literal(0))});
    const Program program = b.output({t, rec});
    const Graph graph = *build_graph(program).value;
    for (const char* on : {"h100", "cpu"}) {
        const CostedSpace space = cost_space(program, graph, b.library, device(on), planned_problem(program),
                                             enumerate_fusions(program, graph, {}), {});
        EXPECT_TRUE(space.infeasible.empty()) << space.infeasible[0].reason;
        const auto best = find_strategy("exact")->select(graph, space, 1);
        ASSERT_EQ(best.size(), 1U);
        EXPECT_EQ(best[0].candidates.size(), 1U) << on << "\n" << print(best[0], space, program, graph);
    }
}

}  // namespace
}  // namespace kasc
