// Where conditions on coordinates may hold.
#include "frontend/cell_boxes.hpp"

#include <gtest/gtest.h>

#include "frontend/evaluate.hpp"
#include "rewrite/boxes.hpp"
#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

/// From low to before high along an axis of 100 cells, in iteration 7.
std::pair<double, double> range(const std::string& condition, std::uint32_t axis) {
    const Program program = boxes(test::checked_program("param int m = 3; float A[x, y]; input A; for (k = 0; k < 9; "
                                                        "k++) { A = " +
                                                        condition + " ? 2*A : A; } return A;"))
                                .program;
    const auto& loop = std::get<std::shared_ptr<const LoopStatement>>(program.statements.front());
    const auto& statement = std::get<FieldStatement>(loop->body.front());
    EXPECT_TRUE(statement.where) << condition;
    const CellRange cells = range_of(boxes_of(statement.where), AxisId{axis});
    const auto value = [&](const ExpressionRef& e, double otherwise) {
        return e ? evaluate(*e, {3}, {{loop->loop, 7}}, {100, 100}) : otherwise;
    };
    return {value(cells.low, 0), value(cells.high, 100)};
}

TEST(CellBoxes, RangesGoAroundAllBoxes) {
    using Range = std::pair<double, double>;
    EXPECT_EQ(range("x > k", 0), Range(8, 100));
    EXPECT_EQ(range("k > x", 0), Range(0, 7));
    EXPECT_EQ(range("x > k", 1), Range(0, 100));
    EXPECT_EQ(range("x >= m && x < k && y == 2", 0), Range(3, 7));
    EXPECT_EQ(range("x >= m && x < k && y == 2", 1), Range(2, 3));
    EXPECT_EQ(range("x <= 4 || x == k", 0), Range(0, 8));
    EXPECT_EQ(range("x > m && x > k", 0), Range(8, 100));
    EXPECT_EQ(range("x > k && y >= x", 1), Range(0, 100));
    EXPECT_EQ(range("x < 50 && y < 2 || x > 20 && y > 1", 1), Range(0, 100));
}

}  // namespace
}  // namespace kasc
