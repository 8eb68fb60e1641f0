#pragma once
// How the threads of a field kernel come to their cells: one function a walk.

#include <array>

#include "kernel/field_cell.hpp"

namespace kasc::kernel {

struct Walked {
    Body body;  ///< without the preamble
    std::array<ExprRef, 3> grid;
    BlockShape block{1, 1, 1};
};

[[nodiscard]] Walked walk_single(FieldContext& context);  ///< no axis: one thread
[[nodiscard]] Walked walk_grid(FieldContext& context);
[[nodiscard]] Walked walk_column(FieldContext& context);
[[nodiscard]] Walked walk_row(FieldContext& context);

// --- what the walks share ---

[[nodiscard]] std::vector<std::string> coordinates(FieldContext& context);
/// The cell lies where the interior path is right, along axes [first, last); null: always. `width`: cells of the group.
[[nodiscard]] ExprRef in_interior(FieldContext& context, std::size_t first, std::size_t last, int width);
/// One thread's cells at its coordinates: a cell or a group of `vector`; interior, edge, or chosen a thread.
[[nodiscard]] Body cells_of_thread(FieldContext& context);
/// The edge path of the cell, or of each cell of the group.
[[nodiscard]] Body edge_of_thread(FieldContext& context);

/// Blocks of `tile` cells that cover an axis: (n + tile - 1) / tile.
[[nodiscard]] ExprRef block_count(const ExprRef& extent, int tile);
/// The visited range of an axis, in steps of `width` cells.
[[nodiscard]] CellAxis cell_axis(FieldContext& context, std::size_t axis, ExprRef origin,
                                 std::optional<Dimension> dimension, int count, int width);
/// Positions along the axes from `first` on, taken from one number in which the first of them varies fastest.
[[nodiscard]] std::vector<ExprRef> unfold(FieldContext& context, std::size_t first, ExprRef number);
/// The cell is visited, along the axes from `first` on; null: always.
[[nodiscard]] ExprRef is_visited(FieldContext& context, std::size_t first);
/// The statements in an If, or bare where there is no condition.
void append_if(Body& body, const ExprRef& condition, Body then);

}  // namespace kasc::kernel
