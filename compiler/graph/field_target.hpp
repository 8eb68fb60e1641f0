#pragma once
// What the target of a field statement says about the cells that the statement assigns.

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// Axes of the target that are not absolute: the statement is computed once for every cell along these.
[[nodiscard]] std::vector<AxisId> free_axes(const Program& program, const FieldStatement& statement);
/// Some axis of the target stands at an absolute position.
[[nodiscard]] bool assigns_slice(const FieldStatement& statement);
/// The update leaves cells of the target as they were, so it reads the target's former value.
[[nodiscard]] bool keeps_former(const Program& program, const FieldStatement& statement);

}  // namespace kasc
