#pragma once
// The cells that a launch visits where a kernel assigns some boxes of them alone (FieldStatement::where).

#include <vector>

#include "frontend/cell_boxes.hpp"
#include "schedule/field/plan.hpp"

namespace kasc {

/// By axis of the kernel, around all boxes and on the grid; along the first axis in whole warps of cells. Empty: all
/// cells are visited.
[[nodiscard]] std::vector<CellRange> visited_ranges(const FieldPlan& plan);

}  // namespace kasc
