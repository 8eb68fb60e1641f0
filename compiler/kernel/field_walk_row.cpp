// The CPU's walk. A block is a piece of one row of the first axis; its cells fall into three regions, and the middle
// one is a loop without conditions that a compiler vectorises:
//
//   x  0 ······ first ·························· last ······ nx
//      edge path    interior: T[i - 1], T[i + 1]    edge path
//
// A row that itself lies at the edge of the grid has first = last = nx. Slices are written before, one If a block.
#include <utility>

#include "kernel/field_walk.hpp"

namespace kasc::kernel {

namespace {

class RowWalk {
public:
    explicit RowWalk(FieldContext& context)
        : context_(context), piece_(context.schedule.choice.threads_x), extent_(context.extent(std::size_t{0})) {}

    Walked run() {
        Walked walked;
        walked.block = {piece_, 1, 1};
        walked.grid = {block_count(extent_, piece_), integer(1), integer(1)};
        if (context_.rank() > 1) {
            walked.grid[1] = context_.extent(std::size_t{1});
            walked.body.push_back({Let{Type::i32, context_.coordinate(1), block_index(Dimension::y)}});
        }
        if (context_.rank() > 2) {
            walked.grid[2] = context_.extent(std::size_t{2});
            for (std::size_t k = 3; k < context_.rank(); ++k)
                walked.grid[2] = multiply(walked.grid[2], context_.extent(k));
            const std::vector<ExprRef> at = unfold(context_, 2, block_index(Dimension::z));
            for (std::size_t k = 2; k < context_.rank(); ++k) {
                walked.body.push_back({Let{Type::i32, context_.coordinate(k), at[k - 2]}});
            }
        }
        slices(walked.body);
        context_.schedule.edges ? with_edges(walked.body) : interior_only(walked.body);
        return walked;
    }

private:
    FieldContext& context_;
    int piece_;
    ExprRef extent_;

    Statement region(ExprRef low, ExprRef high, Body body) {
        CellAxis x{context_.coordinate(0),
                   multiply(block_index(Dimension::x), integer(piece_)),
                   Dimension::x,
                   piece_,
                   1,
                   std::move(low),
                   std::move(high)};
        return {Cells{{std::move(x)}, std::move(body)}};
    }

    /// Loads that do not move along the row, then the loop.
    Body interior_region(const ExprRef& low, const ExprRef& high) {
        CellWriter cell(context_, Path::interior, coordinates(context_), 0);
        cell.write_whole_fields();
        Body cells = cell.take_body();
        if (cells.empty()) return {};
        Body body = cell.take_outer();
        body.push_back(region(low, high, std::move(cells)));
        return body;
    }

    void interior_only(Body& body) {
        const int margin = context_.schedule.margin;
        Body row = interior_region(integer(margin), subtract(extent_, integer(margin)));
        append_if(body, is_visited(context_, 1), std::move(row));
    }

    void with_edges(Body& body) {
        const FieldSchedule& schedule = context_.schedule;
        CellWriter edge(context_, Path::edge, coordinates(context_));
        edge.write_whole_fields();
        const Body edge_cells = edge.take_body();
        if (edge_cells.empty()) return;
        const std::string& x = context_.program.axes[context_.plan.axes[0]].name;
        const std::string first = context_.once("first", x + "_first"), last = context_.once("last", x + "_last");
        // The rim that all stores keep is not visited.
        const ExprRef begin = integer(schedule.margin), end = subtract(extent_, integer(schedule.margin));
        ExprRef from = minimum(integer(schedule.interior_low[0]), end);
        if (const ExprRef inside = in_interior(context_, 1, context_.rank(), 1)) from = select(inside, from, end);
        const ExprRef to = maximum(subtract(extent_, integer(schedule.interior_high[0])), name(first));
        Body row{{Let{Type::i32, first, from}}, {Let{Type::i32, last, to}}};
        row.push_back(region(begin, name(first), edge_cells));
        Body interior = interior_region(name(first), name(last));
        row.push_back({If{binary("<", name(first), name(last)), std::move(interior), {}}});
        row.push_back(region(name(last), end, edge_cells));
        append_if(body, is_visited(context_, 1), std::move(row));
    }

    /// One region a slice: its single cell of the row, or the whole row where the first axis is free. Slices are few
    /// cells, so the path that is right everywhere serves them.
    void slices(Body& body) {
        for (const FieldCall& call : context_.plan.calls) {
            if (!call.stored || !is_slice(call)) continue;
            CellWriter cell(context_, context_.schedule.edges ? Path::edge : Path::interior, coordinates(context_));
            cell.write_slice(call);
            ExprRef low = integer(0), high = extent_;
            if (call.fixed.front().axis == 0) {
                low = context_.scalar(call.fixed.front().position);
                high = add(low, integer(1));
            }
            Statement cells = region(low, high, cell.take_body());
            const ExprRef where = cell.slice_position(call, 1);
            append_if(body, where, {std::move(cells)});
        }
    }
};

}  // namespace

Walked walk_row(FieldContext& context) { return RowWalk(context).run(); }

}  // namespace kasc::kernel
