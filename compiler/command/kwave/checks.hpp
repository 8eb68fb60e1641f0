#pragma once
// What k-Wave's scheme asks of its media and numbers beyond what its program requires.

#include "command/kwave/input.hpp"
#include "command/run/data.hpp"

namespace kasc::command {

/// K0756, K0743: entries of lists that are no points of the grid, or twice the same, as the file has them; K0740, with
/// the largest stable time step; K0754 where the power law comes near a power of one.
[[nodiscard]] Diagnostics check_kwave(const BoundRun& run);

}  // namespace kasc::command
