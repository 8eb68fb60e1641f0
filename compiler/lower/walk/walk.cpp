// Cells and their ranges, as every walk needs them.
#include "lower/walk/walk.hpp"

#include <algorithm>

#include "lower/field/group.hpp"

namespace kasc::kernel {

std::vector<std::string> coordinates(FieldContext& context) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < context.rank(); ++k) names.push_back(context.coordinate(k));
    return names;
}

namespace {

/// Cells of a thread along an axis.
int width(const FieldContext& context, std::size_t axis) {
    return axis == 0 ? context.schedule.choice.vector : axis == 1 ? context.schedule.choice.rows : 1;
}

}  // namespace

namespace {

/// Cells in front of the interior and behind it, along an axis.
KeptLayers around_interior(const FieldContext& context, std::size_t axis) {
    if (axis == 0 && row_ends(*context.schedule.work, context.schedule.choice) != RowEnds::edge_path) return {};
    return {context.schedule.work->interior_low[axis], context.schedule.work->interior_high[axis]};
}

}  // namespace

ExprRef in_interior(FieldContext& context, std::size_t first, std::size_t last) {
    ExprRef inside;
    for (std::size_t k = first; k < last; ++k) {
        const auto [low, high] = around_interior(context, k);
        const int margin = context.schedule.work->margin;
        const ExprRef at = name(context.coordinate(k));
        if (width(context, k) == 1) {
            inside = both(inside, within(at, low > margin ? low : 0, high > margin ? high : 0, context.extent(k)));
            continue;
        }
        // x >= low and x + width <= n - high. Groups along the first axis never pass its end.
        if (low > 0) inside = both(inside, binary(">=", at, integer(low)));
        if (high > 0 || k > 0) {
            const ExprRef end = subtract(context.extent(k), integer(high + width(context, k)));
            inside = both(inside, binary("<=", at, end));
        }
    }
    return inside;
}

ExprRef takes_interior_path(FieldContext& context, std::size_t last) {
    if (context.schedule.work->edges) return in_interior(context, 0, last);
    // Only rows may pass the end of the grid, or stand half in the rim that is kept.
    return context.schedule.choice.rows > 1 ? in_interior(context, 1, 2) : nullptr;
}

const CellProgram& any_cell(const FieldContext& context) {
    const FieldSchedule& schedule = context.schedule;
    return schedule.work->edges ? *schedule.work->edge : *schedule.paths.cell;
}

bool has_cell_path(const FieldContext& context) {
    return context.schedule.work->edges || context.schedule.choice.rows > 1;
}

namespace {

Body one_cell(FieldContext& context, const std::vector<std::string>& at) {
    CellWriter cell(context, any_cell(context), at);
    cell.leave_tiles();
    cell.write();
    return cell.take_body();
}

Body one_row(FieldContext& context, const std::vector<std::string>& at) {
    GroupWriter group(context, *context.schedule.paths.rim, at);
    group.leave_tiles();
    group.map_rows();
    group.write();
    return group.take_body();
}

}  // namespace

Body cell_path(FieldContext& context) {
    std::vector<std::string> at = coordinates(context);
    const std::vector<std::string> first = at;
    const FieldChoice& choice = context.schedule.choice;
    const bool groups = context.schedule.paths.rim != nullptr;
    if (choice.rows > 1) at[1] = context.once("row coordinate", at[1] + "_r");
    if (choice.vector > 1 && !groups) at[0] = context.once("lane coordinate", at[0] + "_v");
    Body body = groups ? one_row(context, at) : one_cell(context, at);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
        if (k >= context.rank() || width(context, k) == 1 || (k == 0 && groups)) continue;
        const std::string counter = k == 0 ? context.once("lane", "v") : context.once("row", "r");
        const int margin = context.schedule.work->margin;
        // Rows may pass the end of the grid; groups never do.
        const ExprRef extent = context.extent(k), own = name(at[k]);
        ExprRef visited = within(own, margin, margin, extent);
        if (k == 1 && margin == 0) visited = binary("<", own, extent);
        Body each{{Let{Type::i32, at[k], add(name(first[k]), name(counter))}}};
        append_if(each, visited, std::move(body));
        body = {{For{counter, integer(0), integer(width(context, k)), 1, 0, std::move(each)}}};
    }
    return body;
}

Body interior_path(FieldContext& context) {
    if (context.schedule.choice.vector == 1) {
        CellWriter cell(context, *context.schedule.paths.cells, coordinates(context));
        cell.write();
        return cell.take_body();
    }
    GroupWriter group(context, *context.schedule.paths.cells, coordinates(context));
    group.write();
    return group.take_body();
}

Body cells_of_thread(FieldContext& context) {
    if (context.schedule.choice.borders == Borders::mapped) return cell_path(context);
    if (!has_cell_path(context)) return interior_path(context);
    const ExprRef inside = takes_interior_path(context, context.rank());
    if (!inside) return interior_path(context);
    return {{If{inside, interior_path(context), cell_path(context)}}};
}

ExprRef block_in_interior(FieldContext& context, const std::vector<ExprRef>& origins, std::size_t last) {
    const FieldSchedule& schedule = context.schedule;
    ExprRef inside;
    for (std::size_t k = 0; k < last; ++k) {
        const KeptLayers around = around_interior(context, k);
        const int low = std::max(around.low, schedule.work->margin),
                  high = std::max(around.high, schedule.work->margin);
        if (low > 0) inside = both(inside, binary(">=", origins[k], integer(low)));
        const ExprRef end = subtract(context.extent(k), integer(high + schedule.choice.tile(k)));
        inside = both(inside, binary("<=", origins[k], end));
    }
    return inside;
}

Statement all_threads(const std::vector<CellAxis>& axes, Body body) {
    Body threads;
    for (const CellAxis& a : axes) {
        const ExprRef own =
            a.dimension ? add(a.origin, multiply(thread_index(*a.dimension), integer(a.step))) : a.origin;
        threads.push_back({Let{Type::i32, a.name, own}});
    }
    append(threads, std::move(body));
    return {Threads{std::move(threads)}};
}

ExprRef visited_cells(const std::vector<CellAxis>& axes) {
    ExprRef inside;
    for (const CellAxis& a : axes) {
        const auto* low = std::get_if<Integer>(&a.low->node);
        if (low == nullptr || low->value > 0) inside = both(inside, binary(">=", name(a.name), a.low));
        inside = both(inside, binary("<", name(a.name), a.high));
    }
    return inside;
}

ExprRef block_count(const ExprRef& extent, int tile) { return divide(add(extent, integer(tile - 1)), integer(tile)); }

CellAxis cell_axis(FieldContext& context, std::size_t axis, ExprRef origin, std::optional<Dimension> dimension,
                   int count) {
    const int margin = context.schedule.work->margin;
    return {context.coordinate(axis),
            std::move(origin),
            dimension,
            count,
            width(context, axis),
            integer(std::int64_t{margin} / width(context, axis) * width(context, axis)),
            subtract(context.extent(axis), integer(margin))};
}

std::vector<ExprRef> unfold(FieldContext& context, std::size_t first, ExprRef number) {
    std::vector<ExprRef> positions;
    for (std::size_t k = first; k < context.rank(); ++k) {
        const bool last = k + 1 == context.rank();
        positions.push_back(last ? number : modulo(number, context.extent(k)));
        if (!last) number = divide(number, context.extent(k));
    }
    return positions;
}

ExprRef is_visited(FieldContext& context, std::size_t first) {
    const int margin = context.schedule.work->margin;
    ExprRef visited;
    for (std::size_t k = first; k < context.rank(); ++k) {
        visited = both(visited, within(name(context.coordinate(k)), margin, margin, context.extent(k)));
    }
    return visited;
}

void append_if(Body& body, const ExprRef& condition, Body then) {
    if (condition) {
        body.push_back({If{condition, std::move(then), {}}});
    } else {
        append(body, std::move(then));
    }
}

}  // namespace kasc::kernel
