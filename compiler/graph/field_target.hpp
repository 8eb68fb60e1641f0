#pragma once
// What the target of a field statement says about the cells that the statement assigns.

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// Axes of the list of a target at computed positions, then axes of the target at no position: the statement is
/// computed once for every cell along these.
[[nodiscard]] std::vector<AxisId> free_axes(const Program& program, const FieldStatement& statement);
/// The same without the axis of a fold's parts, each of which has cells of its own: the statement goes through every
/// cell along these once.
[[nodiscard]] std::vector<AxisId> cell_axes(const Program& program, const FieldStatement& statement);
/// Some axis of the target stands at an absolute position.
[[nodiscard]] bool assigns_slice(const FieldStatement& statement);
/// Some axis of the target stands at a position that the list's entries compute.
[[nodiscard]] bool is_listed(const FieldStatement& statement);
/// Each entry adds to its cell by itself, whatever others do: integers of 32 and 64 bits.
[[nodiscard]] bool adds_in_any_order(const Program& program, const FieldStatement& statement);
/// Whether a statement makes sums of pieces of a list (Adding::Part::pieces), and assigns all of its target.
[[nodiscard]] bool makes_pieces(const FieldStatement& statement);
/// Listed cells or those of one colour: they are stored into the array that holds the others.
[[nodiscard]] bool updates_some_cells(const FieldStatement& statement);
/// What it assigns, or where, is made by a function of the library.
[[nodiscard]] bool calls_library(const FieldStatement& statement);
/// The update is stored into the array of the former value: a slice, listed cells, the cells of one colour.
[[nodiscard]] bool updates_in_place(const FieldStatement& statement);
/// An update in place reads cells of its target that it may assign as well, from other cells than these. Threads
/// in any order need the former value apart from the array that they write.
[[nodiscard]] bool reads_what_it_assigns(const Program& program, const FieldStatement& statement);
/// Both assign slices of one field, at different numbers along one axis: no cell is in both.
[[nodiscard]] bool are_slices_apart(const FieldStatement& a, const FieldStatement& b);
/// The update leaves cells of the target as they were, so it reads the target's former value.
[[nodiscard]] bool keeps_former(const Program& program, const FieldStatement& statement);
/// What a cell becomes is made of the values of others too: a fold, a running sum, sums of pieces.
[[nodiscard]] bool joins_cells(const FieldStatement& statement);
/// Every cell of the target is assigned, by its own value.
[[nodiscard]] bool is_whole(const Program& program, const FieldStatement& statement);
/// The cell itself, along all axes.
[[nodiscard]] bool is_plain(const Operand& operand);
/// The operand of a whole statement is the cell itself, of a field over the target's axes.
[[nodiscard]] bool is_own_cell(const Program& program, const FieldStatement& statement, const Operand& operand);

}  // namespace kasc
