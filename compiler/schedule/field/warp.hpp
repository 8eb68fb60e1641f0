#pragma once
// How a warp stands on a row (walk `warp`): neighbours come from the threads beside, so that threads at its ends hold
// cells for the others alone, which the warps beside it compute.
//
//   reach -1 … +1, one cell a thread     thread 0   1 … 30   31        before 1, after 1, cells 30
//                                        holds  29  30 … 59  60        of the warp that computes 30 … 59

#include <vector>

#include "schedule/field/cell_program.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

struct WarpPiece {
    int before = 0, after = 0;  ///< threads that compute nothing, at the two ends
    int cells = 0;              ///< that the warp computes along the first axis; none where too few threads are left
};
[[nodiscard]] WarpPiece warp_piece(const FieldSchedule& schedule, const FieldChoice& choice);

/// From the rows that cells read all that pass through the warp: one that no cell reads lies between two of them.
[[nodiscard]] std::vector<WarpRow> passing_rows(std::vector<WarpRow> read);

/// The rows that a warp holds: of fields over the kernel's own axes, where a thread reads more than its own cells. What
/// it reads at these alone it loads itself, where it computes: other threads may be writing what the ends of a warp
/// hold.
[[nodiscard]] std::vector<WarpRows> warp_rows(const CellProgram& cells, const std::vector<AxisId>& axes,
                                              const Program& program, const Graph& graph);

/// Some field over the kernel's own axes is read beside the cell along the first axis.
[[nodiscard]] bool has_words_to_exchange(const FieldSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
