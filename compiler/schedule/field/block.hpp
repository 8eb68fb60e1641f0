#pragma once
// The block program of a field kernel: what a block holds in shared memory, and the steps that fill and read it.

#include "block/block_program.hpp"
#include "graph/graph.hpp"
#include "search/choice.hpp"

namespace kasc {

struct FieldSchedule;

/// Steps of a block with tiles: copy, compute; of a column in a loop over planes, of which each tile holds two. Of a
/// block that folds its cells: fold, an exchange a halving of the lanes, one for all those within warps, store. Else a
/// compute alone. Requires: the schedule has its choice and its tiles.
[[nodiscard]] block::BlockProgram field_block(const FieldSchedule& schedule, const Program& program,
                                              const Graph& graph);
/// The step of a fold's tree that joins lanes `half` apart is an exchange within each warp: lanes lie along the first
/// dimension of a block of a GPU, and both are threads of one warp wherever the lower one still counts.
[[nodiscard]] bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half);
/// Barriers that a block meets, over all planes of a column.
[[nodiscard]] int barriers_of_a_block(const FieldSchedule& schedule);

}  // namespace kasc
