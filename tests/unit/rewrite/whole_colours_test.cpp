// Updates in turns, as statements of whole fields.
#include "rewrite/whole_colours.hpp"

#include <gtest/gtest.h>

#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

TEST(WholeColours, EachTurnAssignsAllCells) {
    const WholeColours r = whole_colours(test::checked_program(
        "float u[x, y] boundary mirror; input u; u = (u[x - 1] + u[x + 1])/2 coloured(2); return u;"));
    EXPECT_TRUE(r.changed);
    EXPECT_EQ(test::statements_of(r.program),
              "u = (x + y) % 2 == 0 ? (u[-1, 0] + u[1, 0]) / 2 : u\n"
              "u = (x + y) % 2 == 1 ? (u[-1, 0] + u[1, 0]) / 2 : u\n");
}

TEST(WholeColours, ManyStayTurns) {
    const WholeColours r = whole_colours(test::checked_program(
        "float u[x] boundary mirror; input u; u = (u[x - 1] + u[x + 1])/2 coloured(5); return u;"));
    EXPECT_FALSE(r.changed);
    ASSERT_EQ(r.verdicts.size(), 1U);
    EXPECT_EQ(r.verdicts[0].verdict.reason(), "each of so many turns would assign the whole field");
}

}  // namespace
}  // namespace kasc
