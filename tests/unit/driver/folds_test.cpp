// Where folds of a plan stand, and what the search takes a prologue for.
#include <gtest/gtest.h>

#include "driver/fold_report.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

constexpr const char* step =
    "float p[i, j] boundary value(0), r[i, j], q[i, j], pq[], rr[], next[]; param int steps = 10; input r, p, rr; "
    "for (n = 0; n < steps; n++) { q = 4*p - p[i - 1] - p[i + 1] - p[j - 1] - p[j + 1]; pq = sum(p*q); "
    "r = r - rr/pq*q; next = sum(r*r); p = r + next/rr*p; rr = next; } return p, r;";

CompileRequest request_of_cells(int cells) {
    return test::request_of(step, {{"i", static_cast<double>(cells)}, {"j", static_cast<double>(cells)}});
}
/// Steps as they are written.
Compilation of_cells(int cells) {
    CompileRequest request = request_of_cells(cells);
    request.no_rewrite.insert(Rule::rotate);
    return test::planned(request);
}

std::string places(const Compilation& c) {
    const auto names = kernel_names(c, c.plans.front());
    std::string text;
    for (const FoldPlace& place : fold_places(c, c.plans.front(), names))
        text += place.fold + " | " + place.kernel + " | " + place.reason + "\n";
    return text;
}

std::size_t launches(const Compilation& c) {
    std::size_t count = 0;
    for (const HostStep& s : c.plans.front().host->steps)
        if (const auto* loop = std::get_if<LoopStep>(&s.what)) count += loop->body.size();
    return count;
}

TEST(Folds, AreFoldedByEachBlockWhereTheirPartsAreFew) {
    const Compilation c = of_cells(512);  // 64 parts
    EXPECT_EQ(launches(c), 3u) << places(c);
    EXPECT_EQ(places(c),
              "pq_parts = sum(p*q) | p_k0 | joins what computes its cells: q\n"
              "pq = sum(p*q) | p_k1 | each block folds its parts, for r.1\n"
              "next_parts = sum(r*r) | p_k1 | joins what computes its cells: r.1\n"
              "next = sum(r*r) | p_k2 | each block folds its parts, for p.1, rr.1\n");
}

TEST(Folds, OfWhatAStepBeginsWithJoinTheStepBefore) {
    const Compilation c = test::planned(request_of_cells(512));
    EXPECT_NE(places(c).find("pq_parts = sum(p*q) | p_k3 | joins what computes its cells: p.1, q.1\n"),
              std::string::npos)
        << places(c);
}

TEST(Folds, HaveKernelsOfTheirOwnWhereEachBlockWouldReadMany) {
    const Compilation c = of_cells(8192);  // 16384 parts
    EXPECT_GT(launches(c), 3u) << places(c);
    EXPECT_NE(places(c).find("alone: with "), std::string::npos) << places(c);
    EXPECT_EQ(places(c).find("each block folds"), std::string::npos) << places(c);
}

TEST(Folds, StandApartFromCellsWhoseQuotientsAThreadWaitsFor) {
    const Compilation c = test::planned(
        test::request_of(test::program_of("euler_double.kas"), {{"x", 192}, {"y", 192}, {"z", 192}, {"t", 4}}));
    EXPECT_EQ(places(c).find("U_"), std::string::npos) << "no fold joins the fluxes: " << places(c);
}

TEST(Folds, NoKernelIsRefusedWithoutAReason) {
    for (const char* name : {"bicgk", "atax", "gemver", "gesummv", "matrices"}) {
        const std::string text = test::read_file(std::string(KASC_SOURCE_DIR) + "/examples/blas/" + name + ".kas");
        ASSERT_FALSE(text.empty()) << name;
        const Compilation c = test::planned(test::request_of(text, {{"column", 16384}, {"row", 16384}}));
        for (const auto* refused : {&c.plans.front().costed->space.refusals, &c.plans.front().costed->infeasible})
            for (const Refusal& refusal : *refused) EXPECT_NE(refusal.reason, "") << name;
    }
    const std::string text = test::read_file(std::string(KASC_SOURCE_DIR) + "/examples/blas/bicgk.kas");
    const Compilation c = test::planned(test::request_of(text, {{"column", 16384}, {"row", 16384}}));
    EXPECT_NE(places(c).find("lines of 4096 cells at most, these have 16384"), std::string::npos) << places(c);
}

TEST(Folds, SayWhatTheyShare) {
    const Compilation c =
        test::planned(test::request_of("float a[x, y], low[], high[]; input a; low = minimum(a); high = maximum(a); "
                                       "return low, high;"));
    EXPECT_EQ(places(c),
              "low_parts = minimum(a) | p_k0 | shares its reading with high_parts\n"
              "high_parts = maximum(a) | p_k0 | shares its reading with low_parts\n"
              "low = minimum(a) | p_k1 | shares its reading with high\n"
              "high = maximum(a) | p_k1 | shares its reading with low\n");
}

}  // namespace
}  // namespace kasc
