#pragma once
// A small kernel that another one carries: the cells of a list are computed by the first blocks of a kernel over the
// grid, or what completes a sum by the last block to finish, and cost no launch of their own.

#include <map>
#include <optional>

#include "foundation/id.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc::kernel {

struct Rider {
    FieldSchedule schedule;                  ///< cell by cell (schedule_rider); of the last block as it is launched
    std::map<ValueId, ValueId> overwritten;  ///< by a value that it stores, the former version in its array
    std::map<ValueId, ValueId> arrays;       ///< by a value, what its array is called in the carrier's launch; none: so
    std::optional<LoopId> former;            ///< it computes what the former iteration of this loop has left
};

}  // namespace kasc::kernel
