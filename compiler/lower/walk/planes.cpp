#include "lower/walk/planes.hpp"

#include <algorithm>

namespace kasc::kernel {

WalkedPlanes::WalkedPlanes(FieldContext& context, std::size_t axis)
    : context_(context),
      walk_(axis),
      axis_(context.program.axes[context.plan.axes[axis]].name),
      begin_(context.once("begin", axis_ + "_begin")),
      end_(context.once("end", axis_ + "_end")) {}

ExprRef WalkedPlanes::first() { return name(context_.once("first", axis_ + "_first")); }
ExprRef WalkedPlanes::last() { return name(context_.once("last", axis_ + "_last")); }

Body WalkedPlanes::own(const ExprRef& block, const ExprRef& visited) {
    const int margin = context_.schedule.work->margin, chunk = context_.schedule.choice.chunk;
    const ExprRef start = multiply(block, integer(chunk));
    ExprRef stop = minimum(add(start, integer(chunk)), subtract(context_.extent(walk_), integer(margin)));
    if (visited) stop = select(visited, stop, begin());
    return {{Let{Type::i32, begin_, margin > 0 ? maximum(start, integer(margin)) : start}},
            {Let{Type::i32, end_, stop}}};
}

Body WalkedPlanes::interior(const ExprRef& inside) {
    const FieldSchedule& schedule = context_.schedule;
    const int low = std::max(schedule.work->interior_low[walk_], schedule.work->margin);
    const int high = std::max(schedule.work->interior_high[walk_], schedule.work->margin);
    ExprRef from = minimum(maximum(begin(), integer(low)), end());
    if (inside) from = select(inside, from, end());
    const ExprRef to = maximum(minimum(end(), subtract(context_.extent(walk_), integer(high))), first());
    return {{Let{Type::i32, text_of(first()), from}}, {Let{Type::i32, text_of(last()), to}}};
}

bool WalkedPlanes::may_have_no_interior(bool some_columns) const {
    return some_columns || context_.schedule.work->edges || context_.schedule.work->margin > 0;
}

Statement WalkedPlanes::each(const ExprRef& from, const ExprRef& to, Body plane, int unroll) {
    return {For{context_.coordinate(walk_), from, to, 1, unroll, std::move(plane)}};
}

Statement WalkedPlanes::edges(const ExprRef& first, const ExprRef& last) {
    const std::string step = context_.once("step", "step");
    const ExprRef skipped = subtract(last, first);
    const ExprRef at = select(binary("<", name(step), first), name(step), add(name(step), skipped));
    Body plane{{Let{Type::i32, context_.coordinate(walk_), at}}};
    append(plane, cell_path(context_));
    return {For{step, begin(), subtract(end(), skipped), 1, 0, std::move(plane)}};
}

Body WalkedPlanes::edge_columns(const ExprRef& inside) {
    if (!context_.schedule.work->edges) {
        Body body;
        append_if(body, logical_not(inside), {each(begin(), end(), cell_path(context_))});
        return body;
    }
    const std::string from = context_.once("own first", axis_ + "_from"), to = context_.once("own last", axis_ + "_to");
    const auto own = [&](const ExprRef& all) { return inside ? select(inside, all, end()) : all; };
    return {{Let{Type::i32, from, own(first())}}, {Let{Type::i32, to, own(last())}}, edges(name(from), name(to))};
}

}  // namespace kasc::kernel
