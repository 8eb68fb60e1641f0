#pragma once
// The numbers of a fold (Fold, program.hpp): how many lanes, how many parts. They are part of what a reduction means:
// with others, sums round otherwise.

#include <string>
#include <string_view>

#include "frontend/program.hpp"

namespace kasc {

/// A reduction of the language by its name: sum(e), over all axes of e or over those named, over the words of a cell.
/// Or a running sum, which has as many cells as e: running_sum(e, x), and backwards running_sum(e, -x).
struct Reduction {
    const char* name;
    FoldOperator op;
    /// Others came later: a program or a library that declares a function of their name keeps its own.
    bool reserved = false;
    /// What is folded of each cell: e, e*e, e ? 1 : 0; first_…: where along the axis e is its minimum or maximum, else
    /// the axis' length.
    enum class Folds { value, square, condition, first_minimum, first_maximum };
    Folds folds = Folds::value;
    enum class Gives { fold, root, mean, condition };  ///< of what is folded: itself, its root, over all cells, > 0
    Gives gives = Gives::fold;
    bool running = false;  ///< Running in place of a Fold
};
/// Null: the language has none of this name.
[[nodiscard]] const Reduction* find_reduction(std::string_view name);
[[nodiscard]] const char* name_of(FoldOperator op);
/// "running_sum(e, -x)" of e's text, as the language writes it.
[[nodiscard]] std::string running_text(const Running& running, const Program& program, const std::string& cell);
/// Its accumulators are of double, whatever is folded: it rounds, unlike a comparison.
[[nodiscard]] bool rounds(FoldOperator op);

/// Lanes of a fold to one number: four of each of 256 threads, whose loads are under way together.
inline constexpr int whole_lanes = 1024;
/// Lanes of a result whose cells lie side by side along the first axis: four of each thread of a warp.
inline constexpr int row_lanes = 128;
/// Lanes of a result where results lie side by side: the threads of a warp compute 32 results, a lane each.
inline constexpr int column_lanes = 8;
/// Lanes of what the parts of a row or column gave, results side by side: there may be very many parts of few rows.
inline constexpr int joined_lanes = 128;
/// Cells of a part of a row, and of one of a column.
inline constexpr int row_part_cells = 512, column_part_cells = 256;
/// Cells of a part that is folded one after the other, in the precision of its cells. A sum of 512 floats is off by
/// some 1e-6 of their size where it is at its worst; parts of 4096² results would be a thirtieth of the time that
/// their products take.
inline constexpr int chained_part_cells = 512;
/// How many of them there are at most: a thread joins them one after the other. Where there are more cells, parts have
/// more, a multiple of 512.
inline constexpr int most_chained_parts = 256;
/// Cells of a window, at most: declared lengths, and positions that go along them (`u[x = x + i - 2]`). They are one
/// chain, as if they were written out. In double each cell would be converted by itself, 16 a clock and multiprocessor
/// on an H100: 49 of 8192² cells take 0.88 ms, where 0.18 are enough to read and store them.
inline constexpr long long most_window_cells = 512;

/// How the cells along `folded` are cut. A part of all axes has 4096 cells: blocks that run together then read what
/// lies together (measured on an H100, sum(z*u) of 2^28 cells: 2848 GB/s of 1024 parts, 2920 of 16384, 2973 of
/// 65536), and a second kernel takes 16384 parts within 4 us: there are no more. One of a row has 512, of a column 256,
/// so that a block can have whole parts of both in hand (a matrix's rows and columns in one reading: 2800 of 2880
/// GB/s), and what is stored of parts, 8 bytes each, is 1 to 3 parts in a hundred of what is read.
[[nodiscard]] Parts parts_of(std::vector<AxisId> folded, bool whole, bool rows);
/// The same of a fold that is chained.
[[nodiscard]] Parts chained_parts_of(std::vector<AxisId> folded);
/// Pieces of lines along an axis, which running sums may have side by side.
[[nodiscard]] Parts pieces_of(AxisId along);
/// What a chained fold that sums reals makes of its sum so far: that + value, an expression in which the sum is the
/// operand behind the statement's.
[[nodiscard]] ExpressionRef chained_sum(const FieldStatement& statement);
/// The length of an axis of parts: as many as there are, at least 1.
[[nodiscard]] long long part_count(long long cells, const Parts& parts);
/// The same as an integer expression over extents. Cells are more than 32 bits count: `evaluate` has its value.
[[nodiscard]] ExpressionRef part_count(const Parts& parts, const Span& span);
/// The axis of these parts; none: the compiler has not made it.
[[nodiscard]] std::optional<AxisId> find_parts_axis(const Program& program, const Parts& parts);
/// The same, made where it is not there, and called `name` or something longer.
AxisId make_parts_axis(Program& program, std::string name, const Parts& parts, const Span& span);
/// Numbers that each part folds, but for the last ones: of more cells than that a multiple of the lanes.
[[nodiscard]] long long fold_share(long long cells, const Parts& parts, int lanes);

/// The compiler's own: parts of what is folded, which a second statement folds.
[[nodiscard]] bool holds_parts(const Program& program, const Variable& variable);
/// The statement that makes these parts; null: none does. The compiler assigns them once.
[[nodiscard]] const FieldStatement* statement_of_parts(const Program& program, VariableId parts);

}  // namespace kasc
