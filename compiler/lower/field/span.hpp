#pragma once
// Finds the cells that the blocks of a kernel touch along its outermost axis, for whoever shares blocks out
// (kernel::BlockSpan).

#include "kernel/kernel.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc::kernel {

/// Arrays that the calls of a plan touch at their own coordinate along the plan's last axis, or so many cells beside
/// it, and nowhere else. Not those that go round from one end to the other.
[[nodiscard]] std::vector<ValueId> near_values(const std::vector<const FieldPlan*>& plans, const Program& program,
                                               const Graph& graph);

/// The span of a walk whose blocks stand along the last axis; none: another walk.
[[nodiscard]] std::optional<BlockSpan> block_span(const FieldSchedule& schedule, const Program& program,
                                                  const Graph& graph);

}  // namespace kasc::kernel
