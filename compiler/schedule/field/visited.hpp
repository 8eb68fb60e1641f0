#pragma once
// The cells that a launch visits where a kernel assigns some boxes of them alone (FieldStatement::where).

#include <vector>

#include "schedule/field/plan.hpp"

namespace kasc {

/// From `low` to before `high`, uniform and integer; null: from the first cell, to the last one.
struct VisitedRange {
    ExpressionRef low, high;
};

/// By axis of the kernel, around all boxes; along the first axis in whole warps of cells. Empty: all cells are visited.
[[nodiscard]] std::vector<VisitedRange> visited_ranges(const FieldPlan& plan);

}  // namespace kasc
