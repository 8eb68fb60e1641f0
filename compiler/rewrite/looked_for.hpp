#pragma once
// One cell that all cells of a loop look at, of what it assigns, is a cell that each of them looks for:
//
//     for (k = 0; k < 8; k++) { A = A - A[i = k]*A[j = k]; }     along i and j positions that each cell computes
//
// so that a block may have whole lines of such cells (graph/loop_lines.hpp).

#include "frontend/program.hpp"

namespace kasc::rewriting {

/// The same words of all results. Positions that may stand beyond the grid stay as they are, and are found out before
/// the loop runs. Requires: the loop has no loops within it.
[[nodiscard]] LoopStatement with_cells_looked_for(const Program& program, const LoopStatement& loop);

}  // namespace kasc::rewriting
