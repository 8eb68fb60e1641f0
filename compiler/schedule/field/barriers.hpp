#pragma once
// What a block of a field kernel touches of shared memory, step by step, and the barriers between.

#include <vector>

#include "block/barriers.hpp"
#include "graph/graph.hpp"
#include "search/choice.hpp"

namespace kasc {

struct FieldSchedule;

/// fill: the block's tiles, or a column's plane of them; cells: of the block, or the plane, by threads that look into
/// the tiles; fold: each lane its own cells; join: halves of the lanes; store: of what is folded. A column's planes are
/// a loop over both halves of its tiles.
enum class SharedStepKind { loop, fill, cells, fold, join, store };

struct FieldBarriers {
    std::vector<SharedStepKind> steps;
    std::vector<BarrierDecision> decisions;  ///< by number of the step behind it

    /// The barrier before a step of this kind, the number-th of them; null: none is needed. In a column's loop both
    /// halves have the same.
    [[nodiscard]] const BarrierDecision* before(SharedStepKind kind, std::size_t number = 0) const;
    [[nodiscard]] int kept() const;
};

/// Requires: the schedule has its choice and its tiles. Of one without shared memory: no steps.
[[nodiscard]] FieldBarriers field_barriers(const FieldSchedule& schedule, const Program& program, const Graph& graph);
/// The step of a fold's tree that joins lanes `half` apart is an exchange within each warp: lanes lie along the first
/// dimension of a block of a GPU, and both are threads of one warp wherever the lower one still counts.
[[nodiscard]] bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half);
/// That a block meets, over all planes of a column.
[[nodiscard]] int barriers_of_a_block(const FieldSchedule& schedule);

}  // namespace kasc
