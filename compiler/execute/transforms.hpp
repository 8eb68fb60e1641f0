#pragma once
// The transforms of a host plan on a device: equal ones are one. Internal to this folder.

#include <map>
#include <string>
#include <vector>

#include "execute/numbers.hpp"
#include "plan/host_plan.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

/// With these extents. Requires: half axes are as long as half(x) says.
[[nodiscard]] runtime::TransformShape shape_of(const TransformStatement& statement, const Program& program,
                                               const Numbers& numbers);
/// Cells of its target.
[[nodiscard]] long long target_cells(const runtime::TransformShape& shape);

}  // namespace kasc::execute
