#pragma once
// Which way an access goes as a kernel's cells go along an axis: threads beside each other along the first one want
// words beside each other in memory.

#include <optional>
#include <vector>

#include "schedule/field/plan.hpp"

namespace kasc {

/// From one of the kernel's cells to the next along this one of its axes; none: nothing that is known.
[[nodiscard]] std::optional<double> cells_a_step(const FieldIndex& index, std::size_t axis,
                                                 const std::vector<AxisId>& axes);
/// The kernel's axis along which the words lie beside each other in memory, where another index goes along the first
/// (`b = a[x = y, y = x]`); none: they lie along the first, or are the same for threads along it.
[[nodiscard]] std::optional<std::size_t> crossed_axis(const std::vector<FieldIndex>& indices,
                                                      const std::vector<AxisId>& axes);
/// Some access of the kernel has its words along this axis.
[[nodiscard]] bool crosses(const FieldPlan& plan, std::size_t axis);

}  // namespace kasc
