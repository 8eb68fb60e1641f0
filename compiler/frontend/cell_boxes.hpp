#pragma once
// Where a condition may hold, by what it says of coordinates: `x > k && y == 3 || x < 2` is two boxes of cells.

#include <vector>

#include "frontend/expression.hpp"

namespace kasc {

/// coordinate `op` bound, of a cell along the axis: a comparison with what is the same for all cells.
struct CoordinateBound {
    AxisId axis;
    BinaryOperator op = BinaryOperator::equal;
    ExpressionRef bound;
};
/// The cells that meet all of these; without any, all cells.
using CellBox = std::vector<CoordinateBound>;

/// Boxes outside of which the condition does not hold. What is not known of it holds everywhere: a part of `&&` counts
/// for nothing then, one of `||` is a box of all cells.
[[nodiscard]] std::vector<CellBox> boxes_of(const ExpressionRef& condition);
/// From `low` to before `high`, of integers that are the same for all cells; null: from the first cell, to the last
/// one.
struct CellRange {
    ExpressionRef low, high;
};
/// Along the axis no cell of any box stands elsewhere.
[[nodiscard]] CellRange range_of(const std::vector<CellBox>& boxes, AxisId axis);
/// No cell that stands at this position along the axis is in the box, as far as the text tells: k of `x > k`, k - 1 of
/// `x >= k`.
[[nodiscard]] bool leaves_out(const CellBox& box, AxisId axis, const ExpressionRef& position);

}  // namespace kasc
