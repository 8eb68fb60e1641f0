#pragma once
// How the threads of a field kernel come to their cells: one function a walk.

#include <array>

#include "lower/field/cell.hpp"

namespace kasc::kernel {

/// How blocks follow each other along an axis of the kernel (BlockSpan).
struct BlocksAlong {
    std::size_t axis = 0;
    Dimension dimension = Dimension::x;
    ExprRef cells, blocks = integer(1);
    bool numbered = false;
    /// Cells along the axis that a block loads beyond what its own ask for: with others, or ahead of the plane that
    /// needs them.
    int ahead = 0;
    int block_cells = 0;  ///< of a block, about; 0: it is not said
};

/// The same for threads of a GPU, which load words with others, or a plane ahead of the one that needs it.
[[nodiscard]] BlocksAlong loaded_ahead(BlocksAlong along, const FieldContext& context);

struct Walked {
    Body body;  ///< without the preamble
    std::array<ExprRef, 3> grid;
    BlockShape block{1, 1, 1};
    std::optional<AtStore> at_store{};
    std::optional<BlocksAlong> along{};  ///< the kernel's outermost axis; none: in no such order
};

[[nodiscard]] Walked walk_single(FieldContext& context);  ///< no axis: one thread
[[nodiscard]] Walked walk_grid(FieldContext& context);
[[nodiscard]] Walked walk_flat(FieldContext& context);
[[nodiscard]] Walked walk_column(FieldContext& context);
[[nodiscard]] Walked walk_warp(FieldContext& context);
[[nodiscard]] Walked walk_row(FieldContext& context);
[[nodiscard]] Walked walk_stored(FieldContext& context);
[[nodiscard]] Walked walk_histogram(FieldContext& context);
[[nodiscard]] Walked walk_pieces(FieldContext& context);
[[nodiscard]] Walked walk_staged(FieldContext& context);
/// What a kernel of walk `histogram` needs of extents, where it adds integers alone.
[[nodiscard]] Kernel::Requirement histogram_requirement(const FieldSchedule& schedule, const Program& program);

// --- what the walks share ---

[[nodiscard]] std::vector<std::string> coordinates(FieldContext& context);
/// The cells of a thread lie where the interior path is right, along axes [first, last); null: always.
[[nodiscard]] ExprRef in_interior(FieldContext& context, std::size_t first, std::size_t last);
/// The same of what decides between the two paths, along axes [0, last): with no edges only rows need a test.
[[nodiscard]] ExprRef takes_interior_path(FieldContext& context, std::size_t last);
/// Some thread has a cell that the interior path does not serve.
[[nodiscard]] bool has_cell_path(const FieldContext& context);
/// What is right for any visited cell.
[[nodiscard]] const CellProgram& any_cell(const FieldContext& context);
/// A thread's cells together, each in the interior; or one by one, by the path that is right everywhere.
[[nodiscard]] Body interior_path(FieldContext& context);
[[nodiscard]] Body cell_path(FieldContext& context);
/// One thread's cells at its coordinates: the paths that its borders need.
[[nodiscard]] Body cells_of_thread(FieldContext& context);
/// All cells of the block that starts at `origins` are visited and in the interior, along axes [0, last).
[[nodiscard]] ExprRef block_in_interior(FieldContext& context, const std::vector<ExprRef>& origins, std::size_t last);
/// A region of all threads, those beyond the grid too, which know their coordinates.
[[nodiscard]] Statement all_threads(const std::vector<CellAxis>& axes, Body body);
/// The thread's first cell is visited.
[[nodiscard]] ExprRef visited_cells(const std::vector<CellAxis>& axes);

/// Blocks of `tile` cells that cover an axis: (n + tile - 1) / tile.
[[nodiscard]] ExprRef block_count(const ExprRef& extent, int tile);
/// The visited range of an axis, in steps of a thread's cells along it.
[[nodiscard]] CellAxis cell_axis(FieldContext& context, std::size_t axis, ExprRef origin,
                                 std::optional<Dimension> dimension, int count);
/// Positions along the axes from `first` on, taken from one number in which the first of them varies fastest.
[[nodiscard]] std::vector<ExprRef> unfold(FieldContext& context, std::size_t first, ExprRef number);
/// The cell is visited, along the axes from `first` on; null: always.
[[nodiscard]] ExprRef is_visited(FieldContext& context, std::size_t first);
/// The statements in an If, or bare where there is no condition.
void append_if(Body& body, const ExprRef& condition, Body then);

}  // namespace kasc::kernel
