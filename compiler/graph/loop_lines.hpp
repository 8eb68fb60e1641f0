#pragma once
// Along which axes the cells of a loop look at each other.
//
//     for (n = 0; n < steps; n++) { T = T + r*(T[x - 1] - 2*T + T[x + 1]); }       x: a rod, beside others along y
//     for (n = 1; n < extent(i); n++) { d[i = n] = min(d[i = n - 1], d[i = n - 1, j - 1]) + c[i = n]; }           j

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// Axes along which some statement reads a field that the statements assign at another cell than its own, among those
/// that the first statement is over, in their order. Empty: every cell looks at itself alone.
[[nodiscard]] std::vector<AxisId> line_axes(const Program& program, const std::vector<const FieldStatement*>& body);

}  // namespace kasc
