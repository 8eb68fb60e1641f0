#pragma once
// How a block folds cells: lanes, each with an accumulator, and the tree that joins them.

#include <optional>

#include "frontend/reduction.hpp"
#include "schedule/field/work.hpp"
#include "search/choice.hpp"

namespace kasc {

/// Threads of a block of a GPU.
inline constexpr int fold_threads = 256;

/// Who has the lanes of a fold (frontend/reduction.hpp).
struct FoldThreads {
    int lanes_each = 1;   ///< of a thread: its own number and so many numbers further, `threads` apart, or beside
    bool beside = false;  ///< a thread's lanes are of cells beside each other, a group (choice.vector)
    int threads = 1;      ///< of a result
    int results = 1;      ///< of a block, side by side along the first axis that is left
};
/// A thread of a GPU has four lanes, of results that lie side by side one. A CPU's walk has a lane at each of its
/// numbers of threads, a loop over an array.
[[nodiscard]] FoldThreads threads_of(const Fold& fold, const FieldChoice& choice);
/// A block that folds rows and columns of the same cells has a part of each: 512 columns of 256 rows. A warp has every
/// eighth row, which it folds whole; a thread 16 columns of these rows, which it folds as it goes down. At the end
/// threads that have the same columns join them, 256 columns at a time.
inline constexpr int tile_columns = row_part_cells, tile_rows = column_part_cells, tile_warps = 8,
                     columns_of_thread = 16, columns_at_a_time = 256;

/// The cells whose loads a thread has under way: four, a lane's own or one of each of its lanes; of cells that take
/// long to compute, which hide the loads of others and would need the registers of four, one.
[[nodiscard]] int cells_ahead(const FieldWork& work);
/// Groups of so many that are under way together. There may be very many parts of few results, which no other threads
/// hide: a join of results side by side has four.
[[nodiscard]] int groups_ahead(const Fold& fold, const FieldWork& work);
/// The choice of a kernel that folds its cells one by one. A GPU's that folds all of them may have groups of as many
/// cells beside each other as a thread has lanes.
[[nodiscard]] FieldChoice choice_of_fold(const Fold& fold, bool cpu);
[[nodiscard]] std::optional<FieldChoice> groups_of_fold(const Fold& fold);
/// The step of the tree that joins threads `half` apart, whose own lanes are joined, is an exchange within each warp:
/// lanes lie along the first dimension of a block of a GPU, and both are in one warp wherever the lower one still
/// counts.
[[nodiscard]] bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half);

}  // namespace kasc
