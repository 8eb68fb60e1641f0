#pragma once
// Positions that a program fixes are checked before each launch.

#include <optional>
#include <vector>

#include "kernel/kernel.hpp"
#include "schedule/field/plan.hpp"

namespace kasc::kernel {

/// Every absolute position that the kernel touches, once where it is read and once where it is assigned. `former`: of a
/// rider that computes what the former iteration has left.
void add_position_checks(std::vector<PositionCheck>& checks, const FieldPlan& plan, const Program& program,
                         std::optional<LoopId> former);

}  // namespace kasc::kernel
