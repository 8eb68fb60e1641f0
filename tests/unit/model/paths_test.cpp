#include "model/field/paths.hpp"

#include <gtest/gtest.h>

#include "support/field_case.hpp"

namespace kasc::test {
namespace {

/// One layer at each end of both axes maps its coordinates; words beyond a row are no word of the array.
constexpr const char* five_points =
    "float u[x, y] boundary value(0), v[x, y]; input u; v = u[x-1] + u[x+1] + u[y-1] + u[y+1]; return v;";

model::PathShares shares(const FieldChoice& choice, double x, double y) {
    const FieldCase c(five_points);
    const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice);
    EXPECT_TRUE(s.value) << s.reason;
    return model::path_shares(*s.value, {x, y});
}

FieldChoice grid(int threads_x, int threads_y, int vector, int rows, Borders borders) {
    FieldChoice c{Walk::grid, threads_x, threads_y, vector, 1};
    c.rows = rows;
    c.borders = borders;
    return c;
}

TEST(PathShares, WarpsAtTheEndsOfRowsTakeBothPathsWhereCellsTest) {
    // Two of five warps of a row hold an end, two of 100 rows lie in the rim.
    const model::PathShares s = shares(grid(32, 4, 1, 1, Borders::cell), 160, 100);
    EXPECT_DOUBLE_EQ(s.edge, 1 - 0.6 * 0.98);
    EXPECT_DOUBLE_EQ(s.cells, 0.98);
    EXPECT_GT(s.late, 0);
}

TEST(PathShares, BlocksThatTestGoOneWay) {
    const model::PathShares s = shares(grid(32, 1, 1, 1, Borders::uniform), 160, 100);
    EXPECT_DOUBLE_EQ(s.edge, 1 - 0.6 * 0.98);
    EXPECT_DOUBLE_EQ(s.cells, 0.6 * 0.98);
    EXPECT_EQ(s.late, 0);
}

TEST(PathShares, NoBlockThatIsWiderThanTheGridLiesInTheInterior) {
    EXPECT_EQ(shares(grid(64, 4, 4, 1, Borders::uniform), 240, 100).edge, 1);
    EXPECT_LT(shares(grid(64, 4, 4, 1, Borders::cell), 240, 100).edge, 0.05);
    // One of two blocks of 128 ends beyond.
    EXPECT_NEAR(shares(grid(32, 4, 4, 1, Borders::uniform), 240, 400).cells, 128.0 / 240, 0.02);
}

TEST(PathShares, RowsOfAThreadThatPassTheEndAreOfTheEdge) {
    EXPECT_DOUBLE_EQ(shares(grid(32, 4, 4, 4, Borders::cell), 256, 100).edge, 2.0 / 25);
}

TEST(WholeVectors, AreTheWidestThatDivideTheRows) {
    const std::vector<FieldChoice> offered{grid(32, 8, 4, 1, Borders::cell), grid(32, 8, 1, 1, Borders::cell)};
    EXPECT_EQ(with_whole_vectors(offered, 256), offered);
    EXPECT_EQ(with_whole_vectors(offered, 258).front().vector, 2);
    EXPECT_EQ(with_whole_vectors(offered, 259), std::vector<FieldChoice>{offered.back()});
}

}  // namespace
}  // namespace kasc::test
