// A thread computes its cells, neighbours along the first two axes. Blocks tile the first three axes; from the fourth
// on axes are folded into the grid's x, whose limit is 2^31 - 1 blocks:
//
//   grid (ceil(nx / 32) * nw, ceil(ny / 4), nz)     block x = bx % ceil(nx / 32), w = bx / ceil(nx / 32)
//
// With neighbours shared, the block fills its tiles first; a barrier; then cells in the interior look into them, and
// others read memory. With borders uniform, a block whose cells all lie in the interior has no condition:
//
//   if (block in the interior) { … } else { a test for each cell … }
#include "lower/block.hpp"
#include "lower/field/tile.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

Walked walk_single(FieldContext& context) {
    CellWriter cell(context, *context.schedule.paths.cells, {});
    cell.write();
    return {{{Threads{cell.take_body()}}}, {integer(1), integer(1), integer(1)}, {1, 1, 1}};
}

BlocksAlong loaded_ahead(BlocksAlong along, const FieldContext& context) {
    constexpr int words_of_rows = 8, planes = 1;
    along.ahead = context.rank() == 1 ? words_of_rows : planes;
    return along;
}

namespace {

constexpr std::array dimensions{Dimension::x, Dimension::y, Dimension::z};

class GridWalk {
public:
    explicit GridWalk(FieldContext& context) : context_(context), choice_(context.schedule.choice) {}

    Walked run() {
        walked_.block = {choice_.threads_x, choice_.threads_y, choice_.threads_z};
        walked_.grid = {integer(1), integer(1), integer(1)};
        tile_axes();
        folded_axes();
        const std::size_t last = context_.rank() - 1;
        if (context_.rank() <= 3 && context_.plan.parts.empty() && visited_.empty())
            walked_.along = loaded_ahead({last, dimensions.at(last), integer(choice_.tile(last))}, context_);
        std::vector<Body> steps;
        if (choice_.neighbours == Neighbours::shared) steps.push_back(fill());
        steps.push_back({cells()});
        append(walked_.body, lower_block(*context_.schedule.block, std::move(steps)));
        return std::move(walked_);
    }

private:
    FieldContext& context_;
    const FieldChoice& choice_;
    Walked walked_;
    std::vector<CellAxis> axes_;
    std::vector<ExprRef> origins_;  ///< of the block, by axis of the kernel
    const std::vector<CellRange>& visited_ = context_.schedule.work->visited;

    /// The first three axes, each on a dimension of the grid.
    void tile_axes() {
        const std::array<int, 3> threads{choice_.threads_x, choice_.threads_y, choice_.threads_z};
        for (std::size_t k = 0; k < std::min<std::size_t>(context_.rank(), 3); ++k) {
            const auto [low, end] = visited(k);
            const ExprRef blocks = block_count(low ? subtract(end, low) : end, choice_.tile(k));
            // A box may be empty; a launch of no blocks would leave out its riders.
            walked_.grid[k] = visited_.empty() ? blocks : maximum(blocks, integer(1));
            ExprRef block = block_index(dimensions[k]);
            if (k == 0 && context_.rank() > 3) block = modulo(block, blocks);
            const ExprRef cells = multiply(block, integer(choice_.tile(k)));
            origins_.push_back(low ? add(low, cells) : cells);
            if (!visited_.empty()) {
                axes_.push_back(cell_axis(context_, k, origins_[k], dimensions[k], threads[k]));
                axes_.back().high = end;
            } else if (k < 2 || threads[k] > 1) {
                axes_.push_back(cell_axis(context_, k, origins_[k], dimensions[k], threads[k]));
            } else {
                one_position(k);
            }
        }
    }

    struct Visited {
        ExprRef low, end;  ///< low: null for 0
    };
    [[nodiscard]] Visited visited(std::size_t axis) {
        Visited cells{nullptr, context_.extent(axis)};
        if (visited_.empty()) return cells;
        if (visited_[axis].low) cells.low = context_.scalar(visited_[axis].low);
        if (visited_[axis].high) cells.end = context_.scalar(visited_[axis].high);
        return cells;
    }

    /// One position a block: a test of its range only where some positions are not visited.
    void one_position(std::size_t k) {
        if (context_.schedule.work->margin > 0) {
            axes_.push_back(cell_axis(context_, k, origins_[k], std::nullopt, 1));
        } else {
            walked_.body.push_back({Let{Type::i32, context_.coordinate(k), origins_[k]}});
        }
    }

    void folded_axes() {
        if (context_.rank() < 4) return;
        const ExprRef number = divide(block_index(Dimension::x), walked_.grid[0]);
        for (std::size_t k = 3; k < context_.rank(); ++k)
            walked_.grid[0] = multiply(walked_.grid[0], context_.extent(k));
        for (ExprRef& at : unfold(context_, 3, number)) {
            origins_.push_back(std::move(at));
            one_position(origins_.size() - 1);
        }
    }

    Statement cells() {
        if (choice_.borders != Borders::uniform) return region(cells_of_thread(context_));
        Body border = context_.schedule.work->edges ? cell_path(context_) : cells_of_thread(context_);
        return {If{block_in_interior(context_, origins_, context_.rank()),
                   {all_threads(axes_, interior_path(context_))},
                   {region(std::move(border))}}};
    }

    Body fill() {
        append(walked_.body, declare_tiles(context_));
        // Axes that no tile has, where the cells' region declares them.
        Body positions;
        for (std::size_t k = 3; k < context_.rank() && context_.schedule.work->margin > 0; ++k)
            positions.push_back({Let{Type::i32, context_.coordinate(k), origins_[k]}});
        Statement filled = fill_tiles(context_, origins_);
        Body& body = std::get<Threads>(filled.node).body;
        body.insert(body.begin(), positions.begin(), positions.end());
        return {std::move(filled)};
    }

    /// The cells of all threads that are visited.
    Statement region(Body body) {
        if (choice_.neighbours != Neighbours::shared) return {Cells{axes_, std::move(body)}};
        return all_threads(axes_, {{If{visited_cells(axes_), std::move(body), {}}}});
    }
};

}  // namespace

Walked walk_grid(FieldContext& context) { return GridWalk(context).run(); }

}  // namespace kasc::kernel
