// What kernels that run a loop in each cell are predicted to have at hand, to read and to compute.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "model/parts.hpp"
#include "schedule/loop/schedule.hpp"
#include "search/set_rules.hpp"
#include "unit/frontend/cell_programs.hpp"

namespace kasc::test {
namespace {

constexpr double cells = 1 << 20, iterations = 50;

/// The choices of the only loop with all that stands around it, over cells, on an H100: with one predictor, or one
/// each. `extents`: of some axes; the others have `cells`.
enum class Predictors { one, one_each };
std::vector<Prediction> all_predicted(const std::string& declared, const std::string& body,
                                      const std::map<std::string, long long>& extents = {},
                                      const std::string& behind = "", Predictors predictors = Predictors::one) {
    const std::string text = declared + " for (n = 0; n < 50; n++) { " + body + " } " + behind + " return P;";
    const auto read = read_program(make_source("loop.kas", text), cell_library());
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    Program program = *read.value;
    for (const LoopId loop : program.loops.ids()) program.loops[loop].inside = true;
    const Outcome<Graph> graph = build_graph(program);
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    Problem problem;
    for (const Axis& axis : program.axes) {
        const auto given = extents.find(axis.name);
        problem.extents.push_back(given != extents.end() ? given->second : static_cast<long long>(cells));
    }
    Members all;
    for (const NodeId id : graph->nodes.ids()) all.push_back(id.index);
    const LoopWorkResult work = loop_work(program, *graph, FusionMaker(*graph).of(all));
    EXPECT_TRUE(work.value) << work.reason;
    LoopPredictor predictor(*work.value, program, device, problem);
    std::vector<Prediction> predictions;
    for (const FieldChoice& choice : loop_choices(*work.value, false)) {
        const LoopScheduleResult made = schedule_loop(work.value, choice, program);
        predictions.push_back(predictors == Predictors::one
                                  ? predictor.of(*made.value)
                                  : LoopPredictor(*work.value, program, device, problem).of(*made.value));
    }
    return predictions;
}
/// The first choice.
Prediction predicted(const std::string& declared, const std::string& body,
                     const std::map<std::string, long long>& extents = {}, const std::string& behind = "") {
    return all_predicted(declared, body, extents, behind).front();
}

TEST(LoopModel, AChoiceIsPredictedAlikeBehindOthers) {
    const auto of = [](Predictors predictors) {
        return all_predicted("float a[z, x], P[z, x]; input a, P;", "P[z = n] = sqrt(P[z = n] + a[z = n]);",
                             {{"z", 50}}, "", predictors);
    };
    const std::vector<Prediction> one = of(Predictors::one), each = of(Predictors::one_each);
    ASSERT_EQ(one.size(), each.size());
    EXPECT_TRUE(std::any_of(one.begin(), one.end(), [](const Prediction& p) { return p.shared_bytes_per_block > 0; }))
        << "some have tiles";
    for (std::size_t k = 0; k < one.size(); ++k) {
        EXPECT_EQ(one[k].time_ns, each[k].time_ns) << k;
        EXPECT_EQ(one[k].registers, each[k].registers) << k;
    }
}

// A kernel without axes has no cells beside each other, which might share lines of what they look up.
TEST(LoopModel, NumbersLookUp) {
    const Prediction p = predicted("float u[x], P[t]; int at[]; input u, at, P;", "P[t = n] = u[x = at];", {{"t", 50}});
    EXPECT_GT(p.time_ns, 0);
    EXPECT_LT(p.global_bytes, 1000);
}

// Only what cells look up is read anew in each iteration, where L2 does not hold it.
TEST(LoopModel, FieldsLargerThanL2AreReadOnce) {
    constexpr double many = 1 << 26;
    const Prediction p =
        predicted("float a[x], P[x]; input a, P;", "P = P*a + P;", {{"x", static_cast<long long>(many)}});
    EXPECT_EQ(p.global_bytes, many * 4 * (1 + 1 + 1)) << "a and P once, P stored";
}

TEST(LoopModel, WordsOfMatricesAreReadOnceAndStayAtHand) {
    const Prediction p = predicted("matrix6x6 A[x], P[x]; input A, P;", "P = mmul66(A, P);");
    EXPECT_EQ(p.global_bytes, cells * 4 * (36 + 36 + 36)) << "A and P once, P stored";
    // nvcc 13.0 has 124 of sm_90; 36 words of each of A, P and the new P are 108.
    EXPECT_GT(p.registers, 108);
    EXPECT_LT(p.registers, 150);
}

TEST(LoopModel, AFunctionOfTheLibraryIsCalledOnce) {
    const Prediction p = predicted("matrix6x6 A[x], P[x]; input A, P;", "P = mmul66(A, P);");
    const double of_product = 36 * 11;
    EXPECT_LT(p.flops, cells * iterations * 1.5 * of_product);
}

TEST(LoopModel, WordsThatAreReadNoLongerLeaveTheirRegisters) {
    const std::string declared = "type species = float[12]; species P[x], a[x], b[x], c[x], d[x]; input P;";
    const Prediction chain = predicted(declared, "a = 2*P; b = a*a; c = 3*b; d = c*c; P = P + d;");
    const Prediction all = predicted(declared, "a = 2*P; b = 3*P; c = 4*P; d = 5*P; P = a*b + c*d;");
    EXPECT_LT(chain.registers + 20, all.registers);
}

TEST(LoopModel, WordsBesideEachOtherDoNotWaitForEachOther) {
    const auto latency = [](int words) {
        const std::string type = "type cell = float[" + std::to_string(words) + "]; cell P[x]; input P;";
        return predicted(type, "P = P*P + 1;").latency_ns;
    };
    EXPECT_LT(latency(12), 2 * latency(1));
}

TEST(LoopModel, WhatStandsAroundTheLoopIsReadAndComputedOnce) {
    const Prediction alone = predicted("float P[x]; input P;", "P = P*P + 1;");
    const Prediction around =
        predicted("float P[x], a[x] boundary mirror; input a; P = a + a[x - 1];", "P = P*P + 1;", {}, "P = P*a;");
    EXPECT_EQ(alone.global_bytes, cells * 4 * 2);
    EXPECT_EQ(around.global_bytes, cells * 4 * 2) << "a read, the last P stored";
    EXPECT_NEAR(around.flops, alone.flops + cells * 2, cells);
}

/// Filters beside each other that read one sample do not fetch a line each.
TEST(LoopModel, ThreadsThatReadOneWordShareItsLine) {
    const std::map<std::string, long long> extents{{"t", 50}, {"k", 8}, {"c", 65536}};
    const std::string body = "P = 0.5*P + s[t = n];";
    const Prediction beside = predicted("float s[t, c], P[k, c]; input s, P;", body, extents);
    const Prediction apart = predicted("float s[t, c], P[c, k]; input s, P;", body, extents);
    EXPECT_LT(7 * beside.shared_ns, apart.shared_ns);
    EXPECT_LT(beside.time_ns, apart.time_ns);
}

/// Eight words of a cell, an iteration's sector of them, where the next thread's lie in the next sector.
TEST(LoopModel, WordsBesideEachOtherShareTheirSector) {
    const auto global_ns = [](const std::string& words) {
        return predicted("axis q = 8; float s[q, x, t], P[x]; input s, P;", "P = 0.5*P + " + words + ";",
                         {{"t", 50}, {"q", 8}})
            .global_ns;
    };
    const double one = global_ns("s[q = 0, t = n]");
    std::string eight;
    for (int q = 0; q < 8; ++q) eight += (q > 0 ? " + " : "") + ("s[q = " + std::to_string(q) + ", t = n]");
    const double all = global_ns(eight);
    EXPECT_LT(all, 1.5 * one);
    EXPECT_GT(all, 0.5 * one);
}

/// Three words of a cell, all of which are stored: cells beside each other share sectors, and lines.
TEST(LoopModel, CellsWhoseWordsAllAreStoredLieBesideEachOther) {
    const auto stored = [](const std::string& body) {
        return predicted("axis q = 3; float s[q, x, t], P[x]; input P;", body + " P = 0.5*P;", {{"t", 50}, {"q", 3}},
                         "P = P + s[q = 0, t = 0];");
    };
    const Prediction all = stored("s[q = 0, t = n] = P; s[q = 1, t = n] = 2*P; s[q = 2, t = n] = 3*P;");
    const Prediction some = stored("s[q = 0, t = n] = P; s[q = 1, t = n] = 2*P; s[q = 1, t = n] = 3*P;");
    EXPECT_LT(2 * all.global_ns, some.global_ns);
    EXPECT_LT(5 * all.shared_ns, some.shared_ns);
}

TEST(LoopModel, WhatCellsLookUpIsReadOnceWhereACacheHoldsIt) {
    const auto bytes_of_table_of = [](long long words) {
        const Prediction p = predicted("float table[m], P[x]; int label[x, t]; input table, label, P;",
                                       "P = 0.5*P + table[m = label[t = n]];", {{"t", 50}, {"m", words}});
        return p.global_bytes - cells * 4 * (2 + iterations);
    };
    EXPECT_EQ(bytes_of_table_of(32), 32 * 4);
    EXPECT_EQ(bytes_of_table_of(1 << 22), 4.0 * (1 << 22)) << "L2 has it";
    EXPECT_EQ(bytes_of_table_of(1 << 26), 4 * cells * iterations) << "a word a cell and iteration";
}

/// The best choice for a loop of 10000 steps of whole lines, in ns; none: no block has its lines.
std::optional<double> best_of_lines(const std::string& declared, const std::string& step,
                                    const std::map<std::string, long long>& extents) {
    const std::string text = declared + " input u; for (n = 0; n < 10000; n++) { " + step + " } return u;";
    const auto read = read_program(make_source("lines.kas", text), cell_library());
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    Program program = *read.value;
    for (const LoopId loop : program.loops.ids()) program.loops[loop].inside = true;
    const Outcome<Graph> graph = build_graph(program);
    Problem problem;
    for (const Axis& axis : program.axes) problem.extents.push_back(extents.at(axis.name));
    problem.given.assign(problem.extents.size(), true);
    const LoopWorkResult work = loop_work(program, *graph, FusionMaker(*graph).of({0}));
    EXPECT_TRUE(work.value) << work.reason;
    const model::LineLengths lines = model::line_lengths(work.value->line_axes(), program, problem);
    if (!lines.value) return std::nullopt;
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    LoopPredictor predictor(*work.value, program, device, problem);
    double best = std::numeric_limits<double>::infinity();
    for (const FieldChoice& choice : loop_choices(*work.value, false, *lines.value)) {
        const LoopScheduleResult made = schedule_loop(work.value, choice, program, *lines.value);
        EXPECT_TRUE(made.value) << made.reason;
        best = std::min(best, predictor.of(*made.value).time_ns);
    }
    return best;
}

/// A launch an iteration takes 1.3 us at least, in a graph.
TEST(LoopModel, WholeLinesTakeLessThanALaunchAnIteration) {
    constexpr double launches = 10000 * 1300;
    const std::string rod = "u = u + 0.2*(u[x - 1] - 2*u + u[x + 1]);";
    const std::string area = "u = u + 0.1*(u[x - 1] + u[x + 1] + u[y - 1] + u[y + 1] - 4*u);";
    const auto one = best_of_lines("float u[x] boundary mirror;", rod, {{"x", 1024}});
    const auto grid = best_of_lines("float u[x, y] boundary mirror;", area, {{"x", 64}, {"y", 64}});
    const auto batch = best_of_lines("float u[x, y] boundary (x: mirror);", rod, {{"x", 256}, {"y", 4096}});
    ASSERT_TRUE(one && grid && batch);
    EXPECT_LT(*one, launches);
    EXPECT_GT(*one, 10000 * 50) << "a barrier and its chain";
    EXPECT_LT(*grid, launches);
    // Four accesses of shared memory a cell, of 128 bytes a clock and multiprocessor: 5.6 ms.
    EXPECT_GT(*batch, 5e6);
    EXPECT_LT(*batch, 2 * launches);
    EXPECT_FALSE(best_of_lines("float u[x] boundary mirror;", rod, {{"x", 1000000}})) << "too long for a block";
}

}  // namespace
}  // namespace kasc::test
