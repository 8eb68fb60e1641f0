#pragma once
// How a block folds cells: lanes, each with an accumulator, and the tree that joins them.

#include <optional>
#include <vector>

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
    int parts = 1;        ///< of a block, of each of these results: behind the lanes
};
/// A thread of a GPU has four lanes, of results that lie side by side one, or as the choice says. A CPU's walk has a
/// lane at each of its numbers of threads, a loop over an array.
[[nodiscard]] FoldThreads threads_of(const Fold& fold, const FieldChoice& choice);
/// Along which a block's results lie side by side; none: it has one, or those of several parts.
[[nodiscard]] std::optional<AxisId> axis_of_results(const FieldPlan& plan, const Fold& fold);
/// Whether sharing a block out otherwise than the first choice does may be faster for so many results.
[[nodiscard]] bool may_pay(const Fold& fold, const FieldChoice& choice, long long results);
/// The share of threads that have one of so many results.
[[nodiscard]] double share_with_results(const FoldThreads& threads, long long results);
/// A block that folds rows and columns of the same cells has a part of each: 512 columns of 256 rows. A warp has every
/// eighth row, which it folds whole; a thread 16 columns of these rows, which it folds as it goes down. At the end
/// threads that have the same columns join them, 256 columns at a time.
inline constexpr int tile_columns = row_part_cells, tile_rows = column_part_cells, tile_warps = 8,
                     columns_of_thread = 16, columns_at_a_time = 256;

/// The cells whose loads a thread has under way: four, a lane's own or one of each of its lanes; of cells that take
/// long to compute, which hide the loads of others and would need the registers of four, one.
[[nodiscard]] int cells_ahead(const FieldWork& work);
/// All words of several cells are read before the first of them is folded: where parts are joined, by few blocks, and
/// where a thread has a part and its numbers to itself. Else a compiler that saves registers has one under way: sums of
/// a field and of its product with another, of eight rows, 117 us, and so 55 (H200).
[[nodiscard]] bool reads_cells_first(const Fold& fold, const FieldChoice& choice, const FieldWork& work);
/// The cells that a thread takes together: as many, at least one of each of its lanes; of one lane eight where their
/// words are read first, as far as there are registers for them.
[[nodiscard]] int cells_of_group(const Fold& fold, const FieldChoice& choice, const FieldWork& work);
/// Groups of so many that are under way together. There may be very many parts of few results, which no other threads
/// hide: a join of results side by side has several.
[[nodiscard]] int groups_ahead(const Fold& fold, const FieldChoice& choice, const FieldWork& work);
/// The choices of a kernel that folds its cells one by one, never none. A GPU's block has 32 results that lie side by
/// side, or fewer, for results of which there are fewer, and then more parts of each, or more threads for its lanes:
///
///   r[k, n], 8 of k      sums along n            32 x 8: 8 of 32 threads fold      8 x 32: all, of 4 parts
///
/// A GPU's that folds all cells may have groups of as many beside each other as a thread has lanes.
[[nodiscard]] std::vector<FieldChoice> choices_of_fold(const Fold& fold, bool cpu);
[[nodiscard]] std::optional<FieldChoice> groups_of_fold(const Fold& fold);
/// The step of the tree that joins threads `half` apart, whose own lanes are joined, is an exchange within each warp:
/// lanes lie along the first dimension of a block of a GPU, and both are in one warp wherever the lower one still
/// counts.
[[nodiscard]] bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half);

}  // namespace kasc
