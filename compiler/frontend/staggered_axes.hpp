#pragma once
// Cells half a step on become cells of one axis, so that all later stages see neighbours of one grid.

#include <map>

#include "frontend/checking.hpp"

namespace kasc::frontend {

/// The program with one axis for the cells of each line and the faces between them; K0272 where that
/// cannot be.
[[nodiscard]] Program with_joined_axes(Program program, Checking& checking);

}  // namespace kasc::frontend
