// Cells and their ranges, as every walk needs them.
#include "kernel/field_walk.hpp"

#include "kernel/field_group.hpp"

namespace kasc::kernel {

std::vector<std::string> coordinates(FieldContext& context) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < context.rank(); ++k) names.push_back(context.coordinate(k));
    return names;
}

ExprRef in_interior(FieldContext& context, std::size_t first, std::size_t last, int width) {
    ExprRef inside;
    for (std::size_t k = first; k < last; ++k) {
        const int low = context.schedule.interior_low[k], high = context.schedule.interior_high[k];
        const int margin = context.schedule.margin;
        const ExprRef at = name(context.coordinate(k));
        if (k > 0 || width == 1) {
            inside = both(inside, within(at, low > margin ? low : 0, high > margin ? high : 0, context.extent(k)));
            continue;
        }
        // Groups start at multiples of the width: x >= low and x + width <= n - high.
        if (low > 0) inside = both(inside, binary(">=", at, integer(low)));
        if (high > 0) {
            inside = both(inside, binary("<=", at, subtract(context.extent(k), integer(high + width))));
        }
    }
    return inside;
}

Body edge_of_thread(FieldContext& context) {
    std::vector<std::string> at = coordinates(context);
    if (context.schedule.choice.vector == 1) {
        CellWriter edge(context, Path::edge, at);
        edge.write();
        return edge.take_body();
    }
    const std::string lane = context.once("lane", "v");
    const std::string x = context.once("lane coordinate", at.front() + "_v");
    const ExprRef cell = add(name(at.front()), name(lane));
    at.front() = x;
    CellWriter edge(context, Path::edge, at);
    edge.write();
    Body each{{Let{Type::i32, x, cell}}};
    const int margin = context.schedule.margin;
    const ExprRef visited = within(name(x), margin, margin, context.extent(std::size_t{0}));
    append_if(each, visited, edge.take_body());
    return {{For{lane, integer(0), integer(context.schedule.choice.vector), 1, 0, std::move(each)}}};
}

Body cells_of_thread(FieldContext& context) {
    Body interior;
    if (context.schedule.choice.vector == 1) {
        CellWriter cell(context, Path::interior, coordinates(context));
        cell.write();
        interior = cell.take_body();
    } else {
        GroupWriter group(context, coordinates(context));
        group.write();
        interior = group.take_body();
    }
    if (!context.schedule.edges) return interior;
    const ExprRef inside = in_interior(context, 0, context.rank(), context.schedule.choice.vector);
    return {{If{inside, std::move(interior), edge_of_thread(context)}}};
}

ExprRef block_count(const ExprRef& extent, int tile) { return divide(add(extent, integer(tile - 1)), integer(tile)); }

CellAxis cell_axis(FieldContext& context, std::size_t axis, ExprRef origin, std::optional<Dimension> dimension,
                   int count, int width) {
    const int margin = context.schedule.margin;
    return {context.coordinate(axis),
            std::move(origin),
            dimension,
            count,
            width,
            integer(std::int64_t{margin} / width * width),
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
    const int margin = context.schedule.margin;
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
        for (Statement& s : then) body.push_back(std::move(s));
    }
}

}  // namespace kasc::kernel
