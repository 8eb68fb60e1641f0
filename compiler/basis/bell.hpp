#pragma once
// The weight of a block's cells before they are transformed.

#include "frontend/expression.hpp"

namespace kasc::basis {

/// Along a cut axis, in a statement over it: 1 at the block's own cells, and over the overlaps B of the distance from
/// their outer end, with B²(s) + B²(1 - s) = 1.
[[nodiscard]] ExpressionRef bell_value(AxisId axis, ParameterId own, ParameterId low);

}  // namespace kasc::basis
