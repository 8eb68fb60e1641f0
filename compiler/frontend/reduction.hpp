#pragma once
// The numbers of a fold (Fold, program.hpp): how many lanes, how many parts. They are part of what a reduction means:
// with others, sums round otherwise.

#include <string_view>

#include "frontend/program.hpp"

namespace kasc {

/// A reduction of the language by its name: sum(e), over all axes of e or over those named, over the words of a cell.
struct Reduction {
    const char* name;
    FoldOperator op;
    /// Others came later: a program or a library that declares a function of their name keeps its own.
    bool reserved = false;
    enum class Folds { value, square, condition };  ///< of each cell: e, e*e, e ? 1 : 0
    Folds folds = Folds::value;
    enum class Gives { fold, root, mean, condition };  ///< of what is folded: itself, its root, over all cells, > 0
    Gives gives = Gives::fold;
};
/// Null: the language has none of this name.
[[nodiscard]] const Reduction* find_reduction(std::string_view name);
[[nodiscard]] const char* name_of(FoldOperator op);
/// Its accumulators are of double, whatever is folded: it rounds, unlike a comparison.
[[nodiscard]] bool rounds(FoldOperator op);

/// Threads of a block, of which each has a lane of a fold.
inline constexpr int fold_threads = 256;
/// Lanes of a fold to one number: a block's threads.
inline constexpr int whole_lanes = fold_threads;
/// Lanes of a result whose cells lie side by side along the first axis: a warp, so that a block has eight results.
inline constexpr int row_lanes = 32;
/// Lanes of a result where results lie side by side: the threads of a warp compute 32 results.
inline constexpr int column_lanes = 8;
/// A part has no fewer cells, unless there are no more: 16 of each lane, so that what is stored of a part (8 bytes) is
/// nothing beside what is read.
inline constexpr int least_cells_of_part = 4096;
/// Parts of a fold to one number: about as many blocks as an H100 holds at a time (1056).
inline constexpr int most_parts = 1024;
/// Parts of each of several results: what the parts gave is folded by 8 lanes.
inline constexpr int most_parts_of_many = 256;

/// The length of an axis of parts: as many as there are, at least 1.
[[nodiscard]] long long part_count(long long cells, int most);
/// The same as an integer expression over extents. Cells are more than 32 bits count: `evaluate` has its value.
[[nodiscard]] ExpressionRef part_count(const std::vector<AxisId>& folded, int most, const Span& span);
/// Numbers that each part folds, but for the last ones: a multiple of the lanes.
[[nodiscard]] long long fold_share(long long cells, long long parts, int lanes);

/// The compiler's own: parts of what is folded, which a second statement folds.
[[nodiscard]] bool holds_parts(const Program& program, const Variable& variable);
/// The statement that makes these parts; null: none does. The compiler assigns them once.
[[nodiscard]] const FieldStatement* statement_of_parts(const Program& program, VariableId parts);

}  // namespace kasc
