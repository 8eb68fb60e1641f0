#pragma once
// How many of a kernel's warps take the path of the interior, how many the path that maps coordinates, and how many
// both: a warp that holds cells of either kind goes through one after the other.

#include <vector>

#include "schedule/field/schedule.hpp"

namespace kasc::model {

/// Shares of all warps, or of what they do.
struct PathShares {
    double cells = 1;  ///< that go through the interior's path
    double edge = 0;   ///< that go through the edge's; with `cells` over 1 where some go through both
    double waits = 0;  ///< of blocks, in which a warp goes through the edge's path: others wait for it
    double late = 0;   ///< of blocks, in which one goes through both
};

/// Shares of the paths in a walk of a GPU. `extents`: by axis of the kernel.
[[nodiscard]] PathShares path_shares(const FieldSchedule& schedule, const std::vector<double>& extents);

/// Cells that a thread at the edge computes one after the other, each from loads of its own; or groups of a row.
[[nodiscard]] int cells_in_turn(const FieldSchedule& schedule);
/// What such a thread takes in ns for values at mapped cells, beyond as many as one in the interior computes.
[[nodiscard]] double edge_evaluations_ns(const FieldSchedule& schedule);

}  // namespace kasc::model
