// Rows and columns folded of one tile: whole tiles and such that the end of the grid cuts, against the reference.
#include <gtest/gtest.h>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "schedule/field/walk/fold.hpp"
#include "search/set_rules.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

/// All calls but those that fold parts, in one kernel.
class Tile {
public:
    explicit Tile(const std::string& text) : case_(text), schedule_(scheduled(false)) {
        if (!schedule_.value) throw std::runtime_error(schedule_.reason);
        kernel_ = lower_field(field_alternatives(*schedule_.value, case_.program, case_.graph), case_.program,
                              case_.graph, "k0")
                      .alternatives.front();
    }
    [[nodiscard]] const kernel::Kernel& kernel() const { return kernel_; }

    [[nodiscard]] FieldScheduleResult scheduled(bool cpu) const {
        Members calls;
        for (const NodeId node : case_.graph.nodes.ids()) {
            const FieldStatement& s = field_update(case_.graph, node).statement;
            if (!s.fold || s.fold->parts) calls.push_back(node.index);
        }
        const FieldScheduler scheduler(case_.program, case_.graph, FusionMaker(case_.graph).of(calls));
        if (!scheduler.reason().empty()) return {std::nullopt, scheduler.reason()};
        return scheduler.with(*scheduler.choice_of_fold(cpu));
    }

    /// Extents of the axes that are the program's own; "": the kernel computes what the reference does.
    [[nodiscard]] std::string compared(std::vector<long long> extents) const {
        for (const Axis& axis : case_.program.axes) {
            if (!axis.parts) continue;
            long long cells = 1;
            for (const AxisId folded : axis.parts->of) cells *= extents.at(folded.index);
            extents.push_back(part_count(cells, *axis.parts));
        }
        const Problem problem = make_problem(case_, extents, {});
        return run_and_compare(case_, *schedule_.value, kernel_, FieldReference(case_.program, case_.graph, problem),
                               problem);
    }

private:
    FieldCase case_;
    FieldScheduleResult schedule_;
    kernel::Kernel kernel_;
};

constexpr const char* products =
    "float A[x,y], p[x], r[y], q[y], s[x]; input A, p, r; q = sum(A*p, x); s = sum(A*r, y); return q, s;";

TEST(FoldTile, WholeAndCutTilesEqualTheReference) {
    const Tile tile(products);
    EXPECT_EQ(tile.compared({tile_columns, tile_rows}), "");
    EXPECT_EQ(tile.compared({tile_columns + 9, tile_rows + 7}), "");
    EXPECT_EQ(tile.compared({33, 5}), "");
    EXPECT_EQ(tile.compared({1, 1}), "");
}

TEST(FoldTile, CellsThatTheyComputeAreStoredOnce) {
    const Tile tile(
        "double A[x,y,z], B[x,y,z], m[x,z], n[y,z]; int k[x,z]; input A; B = A > 0.5 ? A*A : -A; m = maximum(B, y); "
        "n = minimum(B, x); k = count(B > 0.25, y); return B, m, n, k;");
    EXPECT_EQ(tile.compared({40, 11, 3}), "");
}

TEST(FoldTile, EachBarrierIsNeeded) {
    const Tile tile(products);
    EXPECT_EQ(kernel::verify(tile.kernel()), "");
    EXPECT_TRUE(kernel::check_shared(tile.kernel()).empty()) << kernel::check_shared(tile.kernel()).front();
    const std::vector<kernel::Kernel> broken = without_each_barrier(tile.kernel());
    EXPECT_GE(broken.size(), 3U);
    for (const kernel::Kernel& k : broken) EXPECT_FALSE(kernel::check_shared(k, 1).empty());
}

TEST(FoldTile, WhatTakesAnotherPathIsFoldedApart) {
    EXPECT_EQ(Tile(products).scheduled(true).reason, "a CPU folds rows and columns one after the other");
    const auto refused = [](const std::string& statements) {
        try {
            const Tile tile("float A[x,y] boundary mirror, q[y], s[x]; input A; " + statements + " return q, s;");
        } catch (const std::runtime_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused("q = sum(A[x + 1] - A, x); s = sum(A, y);"),
              "cells at the edge have a path of their own: a tile's rows are read without a look at it");
}

}  // namespace
}  // namespace kasc::test
