// A thread computes one cell, or one group of neighbouring cells along the first axis. Blocks tile the first two axes,
// the third lies on the grid's z; from the fourth on axes are folded into the grid's x, whose limit is 2^31 - 1 blocks:
//
//   grid (ceil(nx / 32) * nw, ceil(ny / 4), nz)     block x = bx % ceil(nx / 32), w = bx / ceil(nx / 32)
#include "kernel/field_walk.hpp"

namespace kasc::kernel {

Walked walk_single(FieldContext& context) {
    CellWriter cell(context, Path::interior, {});
    cell.write();
    return {{{Threads{cell.take_body()}}}, {integer(1), integer(1), integer(1)}, {1, 1, 1}};
}

Walked walk_grid(FieldContext& context) {
    const FieldChoice& choice = context.schedule.choice;
    const int tile = choice.threads_x * choice.vector;
    Walked walked;
    walked.block = {choice.threads_x, choice.threads_y, 1};
    const ExprRef columns = block_count(context.extent(std::size_t{0}), tile);
    walked.grid = {columns, integer(1), integer(1)};
    ExprRef column = block_index(Dimension::x);
    if (context.rank() > 3) column = modulo(column, columns);
    Cells cells;
    cells.axes.push_back(
        cell_axis(context, 0, multiply(column, integer(tile)), Dimension::x, choice.threads_x, choice.vector));
    if (context.rank() > 1) {
        const ExprRef origin = multiply(block_index(Dimension::y), integer(choice.threads_y));
        cells.axes.push_back(cell_axis(context, 1, origin, Dimension::y, choice.threads_y, 1));
        walked.grid[1] = block_count(context.extent(std::size_t{1}), choice.threads_y);
    }
    std::vector<ExprRef> uniform;
    if (context.rank() > 2) {
        walked.grid[2] = context.extent(std::size_t{2});
        uniform.push_back(block_index(Dimension::z));
    }
    if (context.rank() > 3) {
        for (std::size_t k = 3; k < context.rank(); ++k) walked.grid[0] = multiply(walked.grid[0], context.extent(k));
        for (ExprRef& at : unfold(context, 3, divide(block_index(Dimension::x), columns)))
            uniform.push_back(std::move(at));
    }
    for (std::size_t k = 2; k < context.rank(); ++k) {
        // One position a block: a test of its range only where some positions are not visited.
        if (context.schedule.margin > 0) {
            cells.axes.push_back(cell_axis(context, k, uniform[k - 2], std::nullopt, 1, 1));
        } else {
            walked.body.push_back({Let{Type::i32, context.coordinate(k), uniform[k - 2]}});
        }
    }
    cells.body = cells_of_thread(context);
    walked.body.push_back({std::move(cells)});
    return walked;
}

}  // namespace kasc::kernel
