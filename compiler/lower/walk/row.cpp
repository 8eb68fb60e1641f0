// The CPU's walk. A block is a tile of one plane: some rows along the second axis, of each a piece along the first. A
// tile of 16 rows of 1024 cells has 32 rows of 512, and 64 of 256: what a tile takes of a cache is the choice's. The
// cells of a row fall into three regions, and the middle one is a loop without conditions that a compiler vectorises:
//
//   x  0 ······ first ·························· last ······ nx
//      ends path    interior: T[i - 1], T[i + 1]    ends path
//
// A row that itself lies at the edge of the grid takes the edge path at its ends, and the row path in the middle, whose
// loads are as contiguous: by the edge path, which gathers, clang's code spent a fifth of the time of 64³ cells on the
// faces. Slices are written before, one If a row.
//
// The host runs blocks in the order of their number, x fastest, and gives each core one run of them. A kernel that
// reads beyond its plane takes the planes of a tile one after the other: what it reads of T[z - 2] … T[z + 2] in this
// tile is still in the core's own cache, as is the next row of a kernel over two axes. Any other follows the memory.
//
//   streamed       (planes, pieces, tiles)        tile 0: z = 0 … nz - 1, tile 1: z = 0 … nz - 1, …
//   along memory   (pieces, tiles, planes)        z = 0: all its tiles, z = 1: …
#include <algorithm>
#include <utility>

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

/// What each of the grid's dimensions counts.
struct BlockOrder {
    Dimension piece, tile, plane;
};
constexpr BlockOrder along_memory{Dimension::x, Dimension::y, Dimension::z};
constexpr BlockOrder streamed{Dimension::y, Dimension::z, Dimension::x};
/// Over two axes the rows are what is streamed.
constexpr BlockOrder streamed_rows{Dimension::y, Dimension::x, Dimension::z};

/// The first axis whose neighbours another block computes: planes from the third on, rows of a kernel over two axes.
bool reads_other_blocks(const FieldSchedule& schedule) {
    const std::size_t rank = schedule.axes().size();
    for (std::size_t k = std::min<std::size_t>(rank - 1, 2); k < rank && rank > 1; ++k) {
        if (schedule.work->reach_low[k] > 0 || schedule.work->reach_high[k] > 0) return true;
    }
    return false;
}

BlockOrder block_order(const FieldSchedule& schedule) {
    if (!reads_other_blocks(schedule)) return along_memory;
    return schedule.axes().size() == 2 ? streamed_rows : streamed;
}

class RowWalk {
public:
    explicit RowWalk(FieldContext& context)
        : context_(context),
          piece_(context.schedule.choice.threads_x),
          rows_(context.schedule.choice.threads_y),
          order_(block_order(context.schedule)),
          extent_(context.extent(std::size_t{0})) {}

    Walked run() {
        Walked walked;
        walked.block = {piece_, 1, 1};
        walked.grid = {integer(1), integer(1), integer(1)};
        blocks(walked, order_.piece) = block_count(extent_, piece_);
        if (context_.rank() == 1) walked.along = along(0, order_.piece, integer(piece_));
        Body row;
        slices(row);
        context_.schedule.work->edges ? with_edges(row) : interior_only(row);
        if (context_.rank() > 2) planes(walked);
        if (context_.rank() > 1) {
            tile(walked, std::move(row));
        } else {
            append(walked.body, std::move(row));
        }
        return walked;
    }

private:
    FieldContext& context_;
    int piece_, rows_;
    BlockOrder order_;
    ExprRef extent_;

    static ExprRef& blocks(Walked& walked, Dimension dimension) {
        return walked.grid[static_cast<std::size_t>(dimension)];
    }

    [[nodiscard]] BlocksAlong along(std::size_t axis, Dimension dimension, ExprRef cells,
                                    ExprRef blocks = integer(1)) const {
        return {axis, dimension, std::move(cells), std::move(blocks), false, 0, piece_ * rows_};
    }

    /// One position a block along the third axis and those after it.
    void planes(Walked& walked) {
        ExprRef& count = blocks(walked, order_.plane);
        count = context_.extent(std::size_t{2});
        ExprRef planes = integer(1);  // of each position of the last axis
        for (std::size_t k = 3; k < context_.rank(); ++k) {
            planes = count;
            count = multiply(count, context_.extent(k));
        }
        walked.along = along(context_.rank() - 1, order_.plane, integer(1), planes);
        const std::vector<ExprRef> at = unfold(context_, 2, block_index(order_.plane));
        for (std::size_t k = 2; k < context_.rank(); ++k) {
            walked.body.push_back({Let{Type::i32, context_.coordinate(k), at[k - 2]}});
        }
    }

    /// The rows of the block, one after the other.
    void tile(Walked& walked, Body row) {
        const std::string y = context_.coordinate(1);
        const ExprRef extent = context_.extent(std::size_t{1});
        if (rows_ == 1) {
            blocks(walked, order_.tile) = extent;
            if (context_.rank() == 2) walked.along = along(1, order_.tile, integer(1));
            walked.body.push_back({Let{Type::i32, y, block_index(order_.tile)}});
            append(walked.body, std::move(row));
            return;
        }
        const ExprRef count = divide(integer(std::int64_t{piece_} * rows_), minimum(extent_, integer(piece_)));
        blocks(walked, order_.tile) = divide(add(extent, subtract(count, integer(1))), count);
        if (context_.rank() == 2) walked.along = along(1, order_.tile, count);
        const std::string rows = context_.once("rows", "rows");
        const std::string begin = context_.once("first row", y + "_begin"), end = context_.once("end row", y + "_end");
        walked.body.push_back({Let{Type::i32, rows, count}});
        walked.body.push_back({Let{Type::i32, begin, multiply(block_index(order_.tile), name(rows))}});
        // The sum of the first row and the rows might not fit 32 bits.
        const ExprRef left = minimum(name(rows), subtract(extent, name(begin)));
        walked.body.push_back({Let{Type::i32, end, add(name(begin), left)}});
        walked.body.push_back({For{y, name(begin), name(end), 1, 0, std::move(row)}});
    }

    Statement region(ExprRef low, ExprRef high, Body body) {
        CellAxis x{context_.coordinate(0),
                   multiply(block_index(order_.piece), integer(piece_)),
                   Dimension::x,
                   piece_,
                   1,
                   std::move(low),
                   std::move(high)};
        return {Cells{{std::move(x)}, std::move(body)}};
    }

    /// Loads that do not move along the row, then the loop.
    Body interior_region(const ExprRef& low, const ExprRef& high) {
        CellWriter cell(context_, *context_.schedule.paths.cell, coordinates(context_), 0);
        cell.write_whole_fields();
        Body cells = cell.take_body();
        if (cells.empty()) return {};
        Body body = cell.take_outer();
        body.push_back(region(low, high, std::move(cells)));
        return body;
    }

    void interior_only(Body& body) {
        const int margin = context_.schedule.work->margin;
        Body row = interior_region(integer(margin), subtract(extent_, integer(margin)));
        append_if(body, is_visited(context_, 1), std::move(row));
    }

    Body cells_on(const CellProgram& path) {
        CellWriter cell(context_, path, coordinates(context_));
        cell.write_whole_fields();
        return cell.take_body();
    }

    void with_edges(Body& body) {
        const FieldSchedule& schedule = context_.schedule;
        const Body edge_cells = cells_on(*schedule.work->edge);
        if (edge_cells.empty()) return;
        const std::string& x = context_.program.axes[context_.plan.axes[0]].name;
        const std::string first = context_.once("first", x + "_first"), last = context_.once("last", x + "_last");
        // The rim that all stores keep is not visited.
        const int margin = schedule.work->margin, low = schedule.work->interior_low[0],
                  high = schedule.work->interior_high[0];
        const ExprRef begin = integer(margin), end = subtract(extent_, integer(margin));
        Body row{{Let{Type::i32, first, minimum(integer(low), end)}},
                 {Let{Type::i32, last, maximum(subtract(extent_, integer(high)), name(first))}}};
        // Where the grid is smaller than the interior's distance from its edges, `last` is `first`.
        const auto pieces = [&](const Body& ends, Body middle) {
            Body all;
            if (low > margin) all.push_back(region(begin, name(first), ends));
            append(all, std::move(middle));
            if (high > margin || low > margin) all.push_back(region(name(last), end, ends));
            return all;
        };
        Body middle{{If{binary("<", name(first), name(last)), interior_region(name(first), name(last)), {}}}};
        if (const ExprRef inside = in_interior(context_, 1, context_.rank())) {
            Body beside{region(name(first), name(last), cells_on(*schedule.paths.beside))};
            row.push_back({If{inside, pieces(cells_on(*schedule.paths.ends), std::move(middle)),
                              pieces(edge_cells, std::move(beside))}});
        } else {
            append(row, pieces(edge_cells, std::move(middle)));
        }
        append_if(body, is_visited(context_, 1), std::move(row));
    }

    /// One region a slice: its single cell of the row, or the whole row where the first axis is free. Slices are few
    /// cells, so the path that is right everywhere serves them.
    void slices(Body& body) {
        const CellProgram& program = any_cell(context_);
        for (const CellStore& store : program.stores) {
            const FieldCall& call = context_.plan.calls[store.call];
            if (!is_slice(call)) continue;
            CellWriter cell(context_, program, coordinates(context_));
            cell.write_slice(store);
            ExprRef low = integer(0), high = extent_;
            if (call.fixed.front().axis == 0) {
                low = context_.scalar(call.fixed.front().position);
                high = add(low, integer(1));
            }
            Statement cells = region(low, high, cell.take_body());
            const ExprRef where = cell.slice_position(store, 1);
            append_if(body, where, {std::move(cells)});
        }
    }
};

}  // namespace

Walked walk_row(FieldContext& context) { return RowWalk(context).run(); }

}  // namespace kasc::kernel
