#pragma once
// Lengths of axes that no input has: `axis u = extent(x) / 2;`, or the end of the loop that indexes the axis.

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// The axes that have a length, each after the axes whose extents that uses. Axes without a length, or whose lengths go
/// in a circle, are left out.
[[nodiscard]] std::vector<AxisId> axes_by_length(const Program& program);

}  // namespace kasc
