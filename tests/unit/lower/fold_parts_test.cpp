// Blocks of few results that lie side by side: how their threads are shared out among results, lanes and parts, and
// what their threads read before they fold.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "lower/lower.hpp"
#include "schedule/field/walk/fold.hpp"
#include "search/set_rules.hpp"
#include "support/field_case.hpp"
#include "support/without_barrier.hpp"

namespace kasc::test {
namespace {

Fold of_columns() {
    Fold fold;
    fold.axes = {AxisId{1}};
    fold.lanes = column_lanes;
    fold.parts = AxisId{2};
    fold.side_by_side = true;
    return fold;
}

/// "8x32" of the choices that may be faster than the first.
std::string offered(const Fold& fold, long long results) {
    std::string all;
    for (const FieldChoice& choice : choices_of_fold(fold, false))
        if (choice != choices_of_fold(fold, false).front() && may_pay(fold, choice, results))
            all += fmt::format("{}x{} ", choice.threads_x, choice.threads_y);
    return all;
}

TEST(FoldParts, ABlockHasPartsWhereItHasFewResults) {
    int parts = 1;
    for (const FieldChoice& choice : choices_of_fold(of_columns(), false)) {
        const FoldThreads threads = threads_of(of_columns(), choice);
        EXPECT_EQ(threads.results * threads.parts * threads.threads, fold_threads);
        EXPECT_EQ(threads.threads * threads.lanes_each, column_lanes);
        EXPECT_EQ(threads.parts, parts);
        parts *= 2;
    }
    EXPECT_EQ(parts, 64) << "down to one result, of 32 parts";
    EXPECT_EQ(choices_of_fold(of_columns(), true).size(), 1U) << "a CPU's has a loop";
}

TEST(FoldParts, AreOfferedByTheShareOfThreadsThatHaveAResult) {
    EXPECT_EQ(offered(of_columns(), 3), "16x16 8x32 4x64 ");
    EXPECT_EQ(offered(of_columns(), 8), "16x16 8x32 ");
    EXPECT_EQ(offered(of_columns(), 32), "");
    EXPECT_EQ(offered(of_columns(), 40), "16x16 8x32 ") << "40 of 64, 40 of 48, all";
    EXPECT_EQ(offered(of_columns(), 1000), "");
    EXPECT_EQ(offered(of_columns(), 1), "16x16 8x32 4x64 2x128 1x256 ");
}

TEST(FoldParts, AJoinHasMoreThreadsAResult) {
    Fold join = of_columns();
    join.parts.reset();
    join.lanes = joined_lanes;
    EXPECT_EQ(offered(join, 8), "4x64 2x128 ");
    EXPECT_EQ(offered(join, 1000), "");
    EXPECT_EQ(threads_of(join, choices_of_fold(join, false).front()).lanes_each, 4);
    EXPECT_EQ(threads_of(join, choices_of_fold(join, false).back()).lanes_each, 1);
}

/// The kernel that folds cells into parts, by each of its choices; `joins`: the one that joins them.
std::vector<kernel::Kernel> kernels_of(const std::string& program, bool joins) {
    const FieldCase c(program);
    Members calls;
    for (const NodeId node : c.graph.nodes.ids()) {
        const FieldStatement& s = field_update(c.graph, node).statement;
        if (joins ? s.fold && !s.fold->parts : !s.fold || s.fold->parts) calls.push_back(node.index);
    }
    const Fusion fusion = FusionMaker(c.graph).of(calls);
    const FieldScheduler scheduler(c.program, c.graph, fusion);
    std::vector<kernel::Kernel> all;
    for (const FieldChoice& choice : scheduler.choices_of_fold(false)) {
        const FieldScheduleResult made = scheduler.with(choice);
        if (!made.value) throw std::runtime_error(made.reason);
        all.push_back(lower_field(field_alternatives(*made.value, c.program, c.graph), c.program, c.graph, "k0")
                          .alternatives.front());
    }
    return all;
}

TEST(FoldParts, KernelsOfEachChoiceMeetAtBarriers) {
    for (const bool joins : {false, true}) {
        const auto kernels =
            kernels_of("float r[k, n], s[k], m[k]; input r; s = sum(r, n); m = maximum(r, n); return s, m;", joins);
        EXPECT_EQ(kernels.size(), joins ? 3U : 6U);
        for (const kernel::Kernel& kernel : kernels) {
            EXPECT_EQ(kernel::verify(kernel), "");
            EXPECT_TRUE(kernel::check_shared(kernel).empty()) << kernel::check_shared(kernel).front();
            for (const kernel::Kernel& k : without_each_barrier(kernel))
                EXPECT_FALSE(kernel::check_shared(k, 1).empty()) << "a barrier is not noticed";
        }
    }
}

TEST(FoldParts, AllWordsOfSeveralCellsAreReadBeforeTheFirstIsFolded) {
    const auto kernels =
        kernels_of("float r[k, n], p[n], s[k], m[k]; input r, p; s = sum(r, n); m = sum(r*p, n); return s, m;", false);
    const std::string wide = kernel::print(kernels.front()), shared_out = kernel::print(kernels[2]);
    EXPECT_EQ(wide.find("r_0_ahead"), std::string::npos) << "ptxas does so, of numbers that all threads share\n"
                                                         << wide;
    const std::size_t p = shared_out.find("p_0_ahead[ahead] = p["), value = shared_out.find("s_parts_value");
    ASSERT_NE(p, std::string::npos) << shared_out;
    EXPECT_LT(shared_out.find("r_0_ahead[ahead] = r["), value) << shared_out;
    EXPECT_LT(p, value) << shared_out;
}

TEST(FoldParts, WordsReadAheadHaveNamesOfTheirOwn) {
    const kernel::Kernel kernel = kernels_of(
        "float r[k, n], r_0_ahead[n], s[k]; input r, r_0_ahead; s = sum(r*r_0_ahead, n); return s;", false)[2];
    const std::string text = kernel::print(kernel);
    EXPECT_EQ(kernel::verify(kernel), "");
    EXPECT_NE(text.find("r_0_ahead_2[ahead] = r["), std::string::npos) << text;
}

TEST(FoldParts, WordsThatAreStoredOverAreReadBeforeTheFirstStore) {
    const std::string text =
        kernel::print(kernels_of("float r[n], s[]; input r; r = 2*r; s = sum(r); return r, s;", false).front());
    const std::size_t read = text.find("r_0_ahead[ahead] = "), store = text.find("] = r_new_0");
    ASSERT_NE(read, std::string::npos) << text;
    ASSERT_NE(store, std::string::npos) << text;
    EXPECT_LT(read, store) << text;
}

}  // namespace
}  // namespace kasc::test
