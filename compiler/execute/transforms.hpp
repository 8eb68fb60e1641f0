#pragma once
// The transforms of a host plan on a device: equal ones are one. Internal to this folder.

#include <map>
#include <string>
#include <vector>

#include "execute/numbers.hpp"
#include "plan/host_plan.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

/// A list's entries and cells are counted in 31 bits.
inline constexpr long long most_listed_entries = 1LL << 30, most_listed_cells = 1LL << 31;

/// With these extents. Requires: half axes are as long as half(x) says.
[[nodiscard]] runtime::TransformShape shape_of(const TransformStatement& statement, const Program& program,
                                               const Numbers& numbers);
/// The shape of a list that the statement orders; its axes are shorter than 2^31 - 1024. Its cells may be too many to
/// count.
[[nodiscard]] runtime::ListShape list_of(const TransformStatement& statement, const Program& program,
                                         const Numbers& numbers);
/// Cells of its target.
[[nodiscard]] long long target_cells(const runtime::TransformShape& shape);

}  // namespace kasc::execute
