#pragma once
// The tiles that a block keeps in shared memory: their declaration, and the statement that fills them.

#include <vector>

#include "lower/field/context.hpp"

namespace kasc::kernel {

[[nodiscard]] Body declare_tiles(FieldContext& context);

/// All threads of the block, one group of words after the other. `origins`: the block's first cell, by tiled axis; a
/// column's plane is the coordinate of its walk. Beyond the grid the nearest cell is fetched: no cell that looks into
/// the tile asks for it.
[[nodiscard]] Statement fill_tiles(FieldContext& context, const std::vector<ExprRef>& origins);

}  // namespace kasc::kernel
