#pragma once
// What a warp holds of the rows that it walks along.

#include <vector>

#include "schedule/field/walk_parts.hpp"
#include "schedule/field/work.hpp"
#include "search/choice.hpp"

namespace kasc {

[[nodiscard]] WarpPiece warp_piece(const FieldWork& work, const FieldChoice& choice);

/// From the rows that cells read all that pass through the warp: one that no cell reads lies between two of them.
[[nodiscard]] std::vector<WarpRow> passing_rows(std::vector<WarpRow> read);

/// The rows that a warp holds: of fields over the kernel's own axes, where a thread reads more than its own cells. What
/// it reads at these alone it loads itself, where it computes: other threads may be writing what the ends of a warp
/// hold.
[[nodiscard]] std::vector<WarpRows> warp_rows(const CellProgram& cells, const std::vector<AxisId>& axes,
                                              const Program& program, const Graph& graph);

/// Some field over the kernel's own axes is read beside the cell along the first axis.
[[nodiscard]] bool has_words_to_exchange(const FieldWork& work, const Program& program, const Graph& graph);

}  // namespace kasc
