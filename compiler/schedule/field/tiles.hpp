#pragma once

#include <string>

#include "schedule/field/schedule.hpp"

namespace kasc {

/// Gives every field that is read at a neighbour a place in the block's shared memory. Why it cannot be; empty: it can.
[[nodiscard]] std::string place_tiles(FieldSchedule& schedule, const Program& program, const Graph& graph);

/// Why a block cannot have so much shared memory, and so many bytes beside, at most; empty: it can.
[[nodiscard]] std::string shared_fault(const block::BlockProgram& block, int most_bytes, int beside_bytes = 0);

}  // namespace kasc
