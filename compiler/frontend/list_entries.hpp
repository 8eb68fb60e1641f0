#pragma once
// The entries of a list at whose cells a statement assigns its target.

#include <optional>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// The axes along which entries are counted, the first fastest: those of the list, then those of the target that move
/// with it and along which its positions differ (`T[x = first] += e` of T[x, y] and first[y]).
[[nodiscard]] std::vector<AxisId> entry_axes(const Program& program, const FieldStatement& statement);
/// The axis as long as there are entries: their own, or one that the compiler made; none: it has not made it.
[[nodiscard]] std::optional<AxisId> axis_of_entries(const Program& program, const std::vector<AxisId>& entry_axes);
/// The same, made where it is not there.
AxisId make_axis_of_entries(Program& program, const std::vector<AxisId>& entry_axes, const Span& span);
/// An axis along copies of the cells to which entries of integers add: one for so many entries, and not too many of
/// them. None: the compiler has not made it.
[[nodiscard]] std::optional<AxisId> axis_of_copies(const Program& program, const std::vector<AxisId>& entry_axes);
AxisId make_axis_of_copies(Program& program, const std::vector<AxisId>& entry_axes, const Span& span);
/// An axis along the parts of least_chunk places of a list.
AxisId make_axis_of_chunks(Program& program, AxisId list, const Span& span);

/// Entries of a piece, which a warp adds up. A cell has a word of each of its lanes, so that threads never meet: for
/// few cells they have room in shared memory. Of 256 cells the words of all pieces are 3 of 100 bytes that a list of
/// words with their labels has, which are written, and read once more; of half as many entries they would be 6. Of
/// twice as many 2^24 entries would be 16 warps for a multiprocessor of an H100, which has room for 64.
inline constexpr int piece_entries = 4096, piece_lanes = 32;
/// Bytes of the words of all cells of one lane: 256 floats, or 128 doubles. A warp has 32 KB then.
inline constexpr long long most_bytes_of_lane = 1024;
/// Cells of the target altogether: those of the labels for each cell along its other axes. Pieces have them all,
/// however short the list is.
inline constexpr long long most_cells_in_pieces = 4096;
/// Entries add reals to few cells, whose number the text says: in pieces of the list, and the sums of these as a fold.
/// It depends on the program alone, never on extents that a caller gives, on a plan or a device.
[[nodiscard]] bool adds_in_pieces(const Program& program, const FieldStatement& statement);
/// An axis along the pieces of the entries along these axes. None: the compiler has not made it.
[[nodiscard]] std::optional<AxisId> axis_of_pieces(const Program& program, const std::vector<AxisId>& listed);
AxisId make_axis_of_pieces(Program& program, const std::vector<AxisId>& listed, const Span& span);
/// An axis along the parts in which pieces are folded, as any cells of columns are.
AxisId make_axis_of_folded_pieces(Program& program, AxisId pieces, const Span& span);
/// The axes that the compiler may need for a statement that adds.
std::vector<AxisId> make_axes_of_list(Program& program, const FieldStatement& statement);
/// The word of a lane, in which an addition in pieces is made.
[[nodiscard]] CellType type_of_lanes(const FieldStatement& statement);
/// Cells that labels tell apart, whose number the text says; none: it does not.
[[nodiscard]] std::optional<long long> declared_labels(const Program& program, const FieldStatement& statement);

}  // namespace kasc
