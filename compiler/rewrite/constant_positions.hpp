#pragma once
// Positions that are the cell's own and a constant, as tables of directions make them, are neighbours:
//
//     f[x = x - 1]                                f[x - 1]   boundary keep(0): beyond the grid the nearest cell
//     f[x = (x - 1 + extent(x)) % extent(x)]      f[x - 1]   boundary periodic
//
// so that kernels read them as stencils do.

#include "frontend/program.hpp"

namespace kasc::rewriting {

/// The program with such reads of fields that have no boundary along the axis, where all of them see the same beyond
/// the grid. The same words of all results.
[[nodiscard]] Program with_neighbours(Program program);

}  // namespace kasc::rewriting
