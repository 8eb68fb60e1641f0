#pragma once

#include <string>

#include "schedule/field/schedule.hpp"

namespace kasc {

/// What a fusion refuses, whatever the numbers of a choice: found once for all choices of it. Empty: nothing.
struct FusionFaults {
    std::string groups;                ///< more cells a thread than one, or a tile
    std::string side_by_side;          ///< vectors or a tile: cells of a type that is read one at a time
    std::string vectors, tile, warps;  ///< the first axis is not contiguous everywhere
    int reach = 0;                     ///< cells that a load stands away along the first axis, at most
    bool exchanges = false;            ///< some field over the kernel's axes is read beside the cell along the first
    bool at_own_cells = false;         ///< each cell of the kernel's axes is stored, from what lies at the cell itself
};
[[nodiscard]] FusionFaults fusion_faults(const FieldPlan& plan, const FieldSchedule& schedule, const Program& program,
                                         const Graph& graph);

/// Why the fusion cannot be walked like this; empty: it can. `schedule`: what no choice changes.
[[nodiscard]] std::string choice_fault(const FieldChoice& choice, const FusionFaults& faults,
                                       const FieldSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
