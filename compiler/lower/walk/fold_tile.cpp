// Rows and columns of one tile: a warp takes every eighth row of 512 columns, a thread 16 cells of it, 32 columns
// apart.
//
//   for (at = 0; at < rows; at += 8)
//       row = first_row + at + warp
//       for k in 0 … 15:  v = A[row][first_column + lane + 32 k];   q[k % 4] += v p[…];   s[k] += v r[row]
//       q of the row: four lanes of a thread, then those of the warp by exchanges
//   s of the column: eight warps' through shared memory, 256 columns at a time
//
// Where the end of the grid cuts a tile, what would lie beyond computes the tile's first cell and is not folded: so the
// loads of a row are under way together there, too, and nothing of their places is held in registers.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/reduction.hpp"
#include "lower/block.hpp"
#include "lower/field/fold.hpp"

namespace kasc::kernel {

namespace {

constexpr int row_lanes_of_thread = row_lanes / warp_threads;

class TileFold {
public:
    explicit TileFold(FieldContext& context) : f_(context), c_(context) {
        f_.flat = false;  // a cell has its row and its column
        for (const FoldedCall& f : f_.folds) (side_by_side(f) ? columns_ : rows_).push_back(f);
        row_ = along(columns_);
        column_ = along(rows_);
        for (std::size_t k = 0; k < c_.rank(); ++k)
            if (k != row_ && k != column_ && !c_.plan.is_of_parts(k)) others_.push_back(k);
    }

    Walked run() {
        Walked walked;
        walked.block = {warp_threads, tile_warps, 1};
        ExprRef blocks = multiply(wide(part_extent(rows_)), part_extent(columns_));
        for (const std::size_t k : others_) blocks = multiply(blocks, c_.extent(k));
        walked.grid = {blocks, integer(1), integer(1)};
        walked.body = opening();
        const ExprRef whole =
            both(binary("==", column_count(), integer(tile_columns)), binary("==", row_count(), integer(tile_rows)));
        walked.body.push_back({If{whole, steps(Tile::whole), steps(Tile::cut)}});
        return walked;
    }

private:
    FoldFrame f_;
    FieldContext& c_;
    std::vector<FoldedCall> rows_, columns_;  ///< calls that fold rows, and those that fold columns
    std::size_t row_ = 0, column_ = 0;        ///< the axes: of a row's number, of a column's
    std::vector<std::size_t> others_;         ///< the kernel's further axes

    /// Cut: by the end of the grid.
    enum class Tile { whole, cut };

    /// The block's steps, of a tile that has all its cells or of another.
    Body steps(Tile tile) {
        std::vector<Body> made;
        const block::BlockProgram& program = *c_.schedule.block;
        bool rows = true;
        int half = 0;
        for (const block::Step& step : program.steps) {
            using block::StepKind;
            Body body;
            if (step.kind == StepKind::loop_begin) {
                const ExprRef count = tile == Tile::whole ? integer(tile_rows) : row_count();
                const int unrolled = tile == Tile::whole ? rows_unrolled() : 1;
                body.push_back({For{at_text(), integer(0), count, tile_warps, unrolled, {}}});
            } else if (step.kind == StepKind::fold) {
                body.push_back({Threads{row(tile)}});
            } else if (step.kind == StepKind::exchange && rows) {
                body = FoldFrame::exchange_in_warps(rows_, Dimension::x, warp_threads);
            } else if (step.kind == StepKind::store) {
                body.push_back({Threads{row_stored(tile)}});
            } else if (step.kind == StepKind::loop_end) {
                rows = false;
            } else if (step.kind == StepKind::move) {
                body.push_back({Threads{columns_left(half)}});
            } else {
                body.push_back({Threads{columns_joined(tile, half++)}});
            }
            made.push_back(std::move(body));
        }
        return lower_block(program, std::move(made));
    }
    /// Rows whose loads are under way: two where one field is read, 32 words a thread, 64 KB on a multiprocessor with
    /// two blocks.
    [[nodiscard]] int rows_unrolled() const {
        const auto& loads = c_.schedule.work->loads;
        const auto of_cells = std::count_if(loads.begin(), loads.end(), [&](const ValueAt& load) {
            const auto& axes = field_shape(c_.program, c_.graph.values[load.value].variable).axes;
            const auto has = [&](std::size_t axis) {
                return std::find(axes.begin(), axes.end(), c_.plan.axes[axis]) != axes.end();
            };
            return has(row_) && has(column_);
        });
        return of_cells > 1 ? 1 : 2;
    }

    [[nodiscard]] static bool side_by_side(const FoldedCall& f) { return f.call->statement->fold->side_by_side; }
    [[nodiscard]] std::size_t along(const std::vector<FoldedCall>& folds) {
        return c_.kernel_axis(folds.front().call->statement->fold->axes.front());
    }
    [[nodiscard]] AxisId parts(const std::vector<FoldedCall>& folds) const {
        return *folds.front().call->statement->fold->parts;
    }
    [[nodiscard]] ExprRef part_extent(const std::vector<FoldedCall>& folds) { return c_.extent(parts(folds)); }
    [[nodiscard]] std::string part(const std::vector<FoldedCall>& folds) {
        return c_.coordinate(c_.kernel_axis(parts(folds)));
    }
    [[nodiscard]] std::string once(const char* key, const std::string& wish) { return c_.once(key, wish); }
    [[nodiscard]] std::string at_text() { return once("row in tile", "at"); }
    [[nodiscard]] ExprRef first_column() { return name(once("first column", c_.coordinate(column_) + "_from")); }
    [[nodiscard]] ExprRef first_row() { return name(once("first row", c_.coordinate(row_) + "_from")); }
    [[nodiscard]] ExprRef row_count() { return name(once("rows of tile", c_.coordinate(row_) + "_count")); }
    [[nodiscard]] ExprRef column_count() { return name(once("columns of tile", c_.coordinate(column_) + "_count")); }
    /// What a thread has folded of its columns, of which `lanes` is the block's array.
    [[nodiscard]] static const std::string& sums(const FoldedCall& f) { return f.sum; }

    Body opening() {
        Body body;
        ExprRef number = block_index(Dimension::x);
        const auto take = [&](const std::string& n, const ExprRef& count, bool last) {
            body.push_back({Let{Type::i32, n, last ? number : modulo(number, count)}});
            if (!last) number = divide(number, count);
        };
        take(part(rows_), part_extent(rows_), false);
        take(part(columns_), part_extent(columns_), others_.empty());
        for (std::size_t k = 0; k < others_.size(); ++k)
            take(c_.coordinate(others_[k]), c_.extent(others_[k]), k + 1 == others_.size());
        const auto cut = [&](const ExprRef& first, const ExprRef& count, const std::string& own, int cells,
                             std::size_t axis) {
            body.push_back({Let{Type::i32, text_of(first), multiply(name(own), integer(cells))}});
            const ExprRef left = subtract(c_.extent(axis), first);
            body.push_back(
                {Let{Type::i32, text_of(count), select(binary("<", left, integer(cells)), left, integer(cells))}});
        };
        cut(first_column(), column_count(), part(rows_), tile_columns, column_);
        cut(first_row(), row_count(), part(columns_), tile_rows, row_);
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const FoldedCall& f : columns_) names.push_back(f.lanes), types.push_back(f.type);
        names.resize(c_.schedule.block->regions.size()), types.resize(names.size(), Type::f64);
        append(body, declare_shared(*c_.schedule.block, names, types));
        for (const FoldedCall& f : columns_) body.push_back({PrivateArray{sums(f), columns_of_thread, f.type}});
        for (const FoldedCall& f : rows_) body.push_back({PrivateArray{f.exchanged, 2, f.type}});
        Body nothing;
        const ExprRef k = name(once("column of thread", "k"));
        for (const FoldedCall& f : columns_) nothing.push_back({Assign{element(sums(f), k), FoldFrame::nothing(f)}});
        body.push_back({Threads{{each(k, columns_of_thread, std::move(nothing))}}});
        return body;
    }

    [[nodiscard]] static Statement each(const ExprRef& k, int count, Body body) {
        return {For{text_of(k), integer(0), integer(count), 1, count, std::move(body)}};
    }

    /// A warp's cells of a row, and the row's sum in the warp.
    Body row(Tile tile) {
        const ExprRef k = name(once("column of thread", "k"));
        const ExprRef lane = modulo(k, integer(row_lanes_of_thread));
        const auto accumulator = [&](const FoldedCall& f) {
            return side_by_side(f) ? element(sums(f), k) : element(f.sum, lane);
        };
        Body body;
        for (const FoldedCall& f : rows_) {
            body.push_back({RegisterArray{f.sum, row_lanes_of_thread, f.type}});
            for (int j = 0; j < row_lanes_of_thread; ++j)
                body.push_back({Assign{element(f.sum, integer(j)), FoldFrame::nothing(f)}});
        }
        const ExprRef in_tile = add(thread_index(Dimension::x), multiply(k, integer(warp_threads)));
        const ExprRef down = add(name(at_text()), thread_index(Dimension::y));
        const ExprRef counts = name(once("cell counts", "counts"));
        const auto there = [&](const ExprRef& within) {
            return tile == Tile::whole ? within : select(counts, within, integer(0));
        };
        const Statement row{Let{Type::i32, c_.coordinate(row_), add(first_row(), there(down))}};
        const Statement column{Let{Type::i32, c_.coordinate(column_), add(first_column(), there(in_tile))}};
        Body cell;
        if (tile == Tile::whole) {
            body.push_back(row);
            cell.push_back(column);
            append(cell, f_.join_cell(FoldFrame::CellPath::interior, accumulator, nullptr));
        } else {
            const ExprRef is_there = both(binary("<", down, row_count()), binary("<", in_tile, column_count()));
            cell = {{Let{Type::boolean, text_of(counts), is_there}}, row, column};
            append(cell, f_.join_cell_where(counts, accumulator));
        }
        body.push_back(each(k, columns_of_thread, std::move(cell)));
        for (const FoldedCall& f : rows_) {
            append(body, FoldFrame::joined_halves(f, f.sum, row_lanes_of_thread));
            body.push_back({Assign{element(f.exchanged, integer(0)), element(f.sum, integer(0))}});
        }
        return body;
    }

    Body row_stored(Tile tile) {
        const ExprRef down = add(name(at_text()), thread_index(Dimension::y));
        Body stores{{Let{Type::i32, c_.coordinate(row_), add(first_row(), down)}}};
        for (const FoldedCall& f : rows_) stores.push_back(f_.store(f, element(f.exchanged, integer(0))));
        const ExprRef first = binary("==", thread_index(Dimension::x), integer(0));
        return {{If{tile == Tile::whole ? first : both(first, binary("<", down, row_count())), std::move(stores), {}}}};
    }

    /// A thread's sums of its columns in this half of the tile.
    Body columns_left(int half) {
        constexpr int count = columns_at_a_time / warp_threads;
        const ExprRef k = name(once("column of thread", "k"));
        const ExprRef place = add(multiply(thread_index(Dimension::y), integer(columns_at_a_time)),
                                  add(thread_index(Dimension::x), multiply(k, integer(warp_threads))));
        Body left;
        for (const FoldedCall& f : columns_)
            left.push_back(
                {Assign{element(f.lanes, place), element(sums(f), add(integer(std::int64_t{half} * count), k))}});
        return {each(k, count, std::move(left))};
    }

    /// A thread joins what the warps have left of one column.
    Body columns_joined(Tile tile, int half) {
        const ExprRef column = name(c_.coordinate(column_)), in_tile = name(once("column in tile", "in_tile"));
        const ExprRef k = name(once("column of thread", "k"));
        Body joins;
        for (const FoldedCall& f : columns_) {
            joins.push_back({RegisterArray{f.own, tile_warps, f.type}});
            Body taken{{Assign{element(f.own, k),
                               element(f.lanes, add(multiply(k, integer(columns_at_a_time)), linear_thread()))}}};
            joins.push_back(each(k, tile_warps, std::move(taken)));
            append(joins, FoldFrame::joined_halves(f, f.own, tile_warps));
            joins.push_back(f_.store(f, element(f.own, integer(0))));
        }
        joins.insert(joins.begin(), {Let{Type::i32, text_of(column), add(first_column(), in_tile)}});
        Body body{
            {Let{Type::i32, text_of(in_tile), add(linear_thread(), integer(std::int64_t{half} * columns_at_a_time))}}};
        append_if(body, tile == Tile::whole ? nullptr : binary("<", in_tile, column_count()), std::move(joins));
        return body;
    }
};

}  // namespace

Walked walk_fold_tile(FieldContext& context) { return TileFold(context).run(); }

}  // namespace kasc::kernel
