#pragma once
// What it takes that cells have several words, in a kernel of any walk.

#include <vector>

#include "model/field/facts.hpp"
#include "schedule/field/walk_parts.hpp"

namespace kasc::model {

/// Bytes that memory moves for sectors of which two blocks of `tile` cells store a part each: where rows are no whole
/// sectors, both ends of a block's piece of a row. The more a thread stores in between, in so many rows, the more of
/// them come one by one.
[[nodiscard]] double torn_bytes(const FieldFacts& facts, const std::vector<double>& tile, int rows);

/// What passes through shared memory for a cell, beside the words that its thread takes there.
struct StagedCost {
    double instructions = 0;
    double words = 0;  ///< of 4 bytes, one way
};
[[nodiscard]] StagedCost staged_cost(const StagedParts& staged, const block::BlockProgram& block);

/// Registers where many results each take all words of a cell, or of the layer before: ptxas keeps these, and a sum for
/// each result, of all `cells` of a thread. 3 × 3 of 8 channels to 8 in vectors of 4: 168 registers for 144 words and
/// 32 sums, with two rows 255 and 1.7 kB spilled; layers of 16, vectors of 4: 168, with two rows 1 kB spilled.
[[nodiscard]] double held_by_all_results(const FieldFacts& facts, const ThreadCounts& thread, double cells);

}  // namespace kasc::model
