#include "lower/pipeline/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

PipelineFrame::PipelineFrame(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
                             PipelineGrids grids)
    : wide_(grids.wide),
      whole_(grids.whole),
      schedule_(schedule),
      work_(*schedule.work),
      program_(program),
      graph_(graph),
      context_(std::make_unique<FieldContext>(work_.stages.front().cells, program, graph)),
      plane_(name(context_->once("plane", "plane"))),
      row_(schedule.choice.rows > 1 ? name(context_->once("row of thread", "r")) : integer(0)),
      lane_(schedule.choice.vector > 1 ? name(context_->once("cell of row", "v")) : nullptr),
      frames_(schedule.frames()),
      thread_column_(context_->once("column of thread", "thread_column")),
      thread_row_(context_->once("row of block of thread", "thread_row")) {
    // All values have their names, whichever stage reads them.
    for (const PipelineStage& stage : work_.stages) go_on_with(stage);
}

void PipelineFrame::go_on_with(const PipelineStage& stage) {
    context_ = std::make_unique<FieldContext>(std::move(*context_), stage.cells);
}

const std::string& PipelineFrame::variable(ValueId value) const {
    return program_.variables[graph_.values[value].variable].name;
}

ExprRef PipelineFrame::first(std::size_t axis) {
    return named(fmt::format("first {}", axis), context_->coordinate(axis) + "_first");
}

Body PipelineFrame::place(std::array<ExprRef, 3>& grid) {
    constexpr std::array dimensions{Dimension::x, Dimension::y, Dimension::z};
    Body body;
    for (std::size_t axis = 0; axis < walk(); ++axis) {
        grid.at(axis) = block_count(context_->extent(axis), schedule_.own(axis));
        const ExprRef cells = multiply(block_index(dimensions.at(axis)), integer(schedule_.own(axis)));
        body.push_back({Let{Type::i32, text_of(first(axis)), subtract(cells, integer(schedule_.halo(axis)))}});
    }
    grid.at(walk()) = block_count(context_->extent(walk()), schedule_.choice.chunk);
    const ExprRef planes = multiply(block_index(dimensions.at(walk())), integer(schedule_.choice.chunk));
    body.push_back({Let{Type::i32, text_of(first(walk())), planes}});
    const ExprRef end = add(first(walk()), integer(schedule_.choice.chunk));
    body.push_back({Let{Type::i32, text_of(last()), minimum(end, context_->extent(walk()))}});
    return body;
}

ExprRef PipelineFrame::on_grid(std::size_t axis, const ExprRef& place) {
    const ExprRef n = context_->extent(axis);
    if (is_within(axis)) return place;
    if (!work_.around[axis]) return minimum(maximum(place, integer(0)), subtract(n, integer(1)));
    return modulo(add(modulo(place, n), n), n);
}

Body PipelineFrame::each_row(Body before, Body cells, Body behind) {
    Body all, each, cell_body;
    const std::size_t axis = walk() - 1;
    const ExprRef column = thread_column();
    const ExprRef first_column = lane_ ? named("first column", "first_column") : nullptr;
    // The threads' rows of two axes stand one behind the other.
    const ExprRef pieces = multiply(row_, integer(std::int64_t{schedule_.choice.threads_x} * vector()));
    const auto first_of = [&](const ExprRef& c) { return walk() > 1 ? c : add(c, pieces); };
    Body& of_columns = walk() > 1 ? all : each;
    if (lane_)
        of_columns.push_back({Let{Type::i32, text_of(first_column), first_of(column)}});
    else
        of_columns.push_back({Let{Type::i32, text_of(own(0)), first_of(column)}});
    if (!lane_) place_along(of_columns, 0);
    if (walk() > 1) {
        each.push_back({Let{Type::i32, text_of(own(axis)), add(thread_row(), row_)}});
        place_along(each, axis);
    }
    const auto number = [&](const ExprRef& c, int columns) {
        return walk() > 1 ? add(multiply(own(1), integer(columns)), c) : c;
    };
    std::set<int> columns;  // of planes in shared memory
    for (const KeptPlanes& kept : work_.kept) columns.insert(schedule_.layout(kept).columns);
    for (const int of_row : columns)
        each.push_back({Let{Type::i32, text_of(first_cell_of(of_row)), number(lane_ ? first_column : own(0), of_row)}});
    if (lane_) {
        cell_body.push_back({Let{Type::i32, text_of(own(0)), add(first_column, lane_)}});
        place_along(cell_body, 0);
        for (const int of_row : columns)
            cell_body.push_back({Let{Type::i32, text_of(cell_of(of_row)), add(first_cell_of(of_row), lane_)}});
    }
    append(each, std::move(before));
    const bool has_cells = !cells.empty();
    append(cell_body, std::move(cells));
    if (!lane_)
        append(each, std::move(cell_body));
    else if (has_cells)
        each.push_back({For{text_of(lane_), integer(0), integer(vector()), 1, -1, std::move(cell_body)}});
    append(each, std::move(behind));
    if (rows() > 1)
        all.push_back({For{text_of(row_), integer(0), integer(rows()), 1, -1, std::move(each)}});
    else
        append(all, std::move(each));
    return all;
}

void PipelineFrame::place_along(Body& body, std::size_t axis) {
    body.push_back({Let{Type::i32, text_of(at(axis)), add(first(axis), own(axis))}});
    body.push_back({Let{Type::i32, context_->coordinate(axis), on_grid(axis, at(axis))}});
}

ExprRef PipelineFrame::place_in_plane(const ExprRef& x) {
    if (walk() == 1) return counted(x);
    return add(multiply(counted(name(context_->coordinate(1))), context_->extent(std::size_t{0})), counted(x));
}

ExprRef PipelineFrame::where_vectors(int cells, const ExprRef& then, const ExprRef& otherwise) {
    const std::optional<bool> whole = has_whole_vectors(cells);
    return !whole ? select(whole_vectors(cells), then, otherwise) : *whole ? then : otherwise;
}

Body PipelineFrame::where_vectors(int cells, Body then, Body otherwise) {
    const std::optional<bool> whole = has_whole_vectors(cells);
    if (whole) return *whole ? then : otherwise;
    return {{If{whole_vectors(cells), std::move(then), std::move(otherwise)}}};
}

std::optional<bool> PipelineFrame::has_whole_vectors(int cells) const {
    if (!lane_ || whole_ == true) return true;
    // Rows that are no pieces of four may be pieces of two.
    return cells == schedule_.whole_cells() ? whole_ : std::nullopt;
}

ExprRef PipelineFrame::whole_vectors(int cells) {
    return equals(modulo(context_->extent(std::size_t{0}), integer(cells)), integer(0));
}

ExprRef PipelineFrame::vector_on_grid(const ExprRef& place, int cells) {
    const ExprRef n = context_->extent(std::size_t{0});
    if (work_.around[0]) return modulo(add(modulo(place, n), n), n);
    return maximum(minimum(place, subtract(n, integer(cells))), integer(0));
}

Body PipelineFrame::steadiness() {
    const auto kept_by_calls = [&](const PipelineStage& stage, std::size_t axis) {
        KeptLayers most;
        for (const FieldCall& call : stage.cells.plan().calls)
            for (std::size_t k = 0; k < call.target.size(); ++k)
                if (const auto& moving = std::get<Moving>(call.target[k]); moving.axis == axis)
                    most = {std::max(most.low, call.kept[k].low), std::max(most.high, call.kept[k].high)};
        return most;
    };
    Body body;
    ExprRef inside;
    for (std::size_t axis = 0; axis < walk(); ++axis) {
        KeptLayers most;
        for (const PipelineStage& stage : work_.stages) {
            const KeptLayers kept = kept_by_calls(stage, axis);
            most = {std::max(most.low, kept.low), std::max(most.high, kept.high)};
        }
        // So is what is fetched around them.
        const int beyond = schedule_.beyond(axis);
        inside = both(inside, binary(">=", first(axis), integer(most.low + beyond)));
        const ExprRef end = add(first(axis), integer(schedule_.cells(axis) + most.high + beyond));
        inside = both(inside, binary("<=", end, context_->extent(axis)));
    }
    const ExprRef is_inside = named("block inside", "is_inside_block");
    body.push_back({Let{Type::i32, text_of(is_inside), kept_in_registers(inside)}});
    // Planes at which every stage is under way, and all that it looks at lies on the grid.
    int begun = std::numeric_limits<int>::min(), on_grid = 0, over = std::numeric_limits<int>::max(), beyond = over;
    for (const PipelineStage& stage : work_.stages) {
        const KeptLayers kept = kept_by_calls(stage, walk());
        int low = kept.low, high = kept.high;
        for (const FieldCall& call : stage.cells.plan().calls)
            for (const FieldRead& read : call.reads)
                for (const FieldIndex& index : read.indices)
                    if (const auto* moving = std::get_if<Moving>(&index); moving != nullptr && moving->axis == walk())
                        low = std::max(low, -moving->step), high = std::max(high, moving->step);
        const int lag = stage.extent.lag;
        begun = std::max(begun, lag - stage.extent.planes_before);
        on_grid = std::max(on_grid, lag + low);
        over = std::min(over, lag + stage.extent.planes_behind);
        beyond = std::min(beyond, lag - high);
    }
    const auto beside = [](const ExprRef& at, int planes) {
        return planes < 0 ? subtract(at, integer(-planes)) : add(at, integer(planes));
    };
    body.push_back({Let{Type::i32, text_of(named("steady first", "steady_first")),
                        maximum(beside(first(walk()), begun), integer(on_grid))}});
    body.push_back({Let{Type::i32, text_of(named("steady last", "steady_last")),
                        minimum(beside(last(), over), beside(context_->extent(walk()), beyond))}});
    // The planes that are asked for lie on the grid.
    int first_lag = std::numeric_limits<int>::max(), last_lag = 0;
    for (const KeptPlanes& kept : work_.kept) {
        if (!kept.loaded) continue;
        first_lag = std::min(first_lag, kept.extent.lag), last_lag = std::max(last_lag, kept.extent.lag);
    }
    const int ahead = schedule_.choice.ahead;
    asked_from_ = last_lag - ahead;
    const int asked = schedule_.fetches() ? schedule_.fetched_together() : vector();
    body.push_back(
        {Let{Type::i32, text_of(named("asked last", "asked_last")),
             where_vectors(asked, beside(context_->extent(walk()), first_lag - ahead), integer(asked_from_))}});
    return body;
}

ExprRef PipelineFrame::has_planes_to_ask_for() {
    return both(begins_to_ask(), binary("<", plane_, named("asked last", "asked_last")));
}

ExprRef PipelineFrame::has_cells_inside() { return binary("!=", named("block inside", "is_inside_block"), integer(0)); }

ExprRef PipelineFrame::has_planes_inside() {
    return both(binary(">=", plane_, named("steady first", "steady_first")),
                binary("<", plane_, named("steady last", "steady_last")));
}

ExprRef PipelineFrame::place_in_memory(Body& body, const std::string& key, const ExprRef& plane,
                                       const ExprRef& in_plane_of_it) {
    const std::string at = context_->once("row in memory " + key, "row_at");
    const ExprRef place = add(multiply(counted(plane), plane_stride()), in_plane_of_it);
    if (declared_.insert(at).second) body.push_back({Let{wide_ ? Type::i64 : Type::i32, at, place}});
    return name(at);
}

ExprRef PipelineFrame::plane_stride() {
    ExprRef cells = counted(context_->extent(std::size_t{0}));
    for (std::size_t axis = 1; axis < walk(); ++axis) cells = multiply(cells, context_->extent(axis));
    return context_->preamble_let(wide_ ? Type::i64 : Type::i32, "cells of a plane", "plane_cells", cells);
}

std::string PipelineFrame::queue_name(ValueId value) {
    return context_->once(fmt::format("queue {}", value.index), variable(value) + "_queue");
}

std::string PipelineFrame::ahead_name(ValueId value) {
    return context_->once(fmt::format("ahead {}", value.index), variable(value) + "_ahead");
}

std::string PipelineFrame::ring_name(ValueId value) {
    return context_->once(fmt::format("ring {}", value.index), variable(value) + "_ring");
}

ExprRef PipelineFrame::queued(ValueId value, int age, int row) {
    const int first = ((age - schedule_.queue(*work_.find(value)).first) * rows() + row) * vector();
    const ExprRef number = number_in_thread();
    return element(queue_name(value), first < 0 ? subtract(number, integer(-first)) : add(integer(first), number));
}

ExprRef PipelineFrame::plane_ahead(const KeptPlanes& kept, const ExprRef& plane, Body& body) {
    const std::string z =
        context_->once(fmt::format("ahead along {}", kept.extent.lag), context_->coordinate(walk()) + "_ahead");
    if (declared_.insert(z).second) body.push_back({Let{Type::i32, z, on_grid(walk(), plane)}});
    return name(z);
}

ExprRef PipelineFrame::mask(const std::string& key, const std::string& wish, const ExprRef& condition) {
    const auto same = std::find_if(masks_.begin(), masks_.end(), [&](const Mask& m) { return m.key == key; });
    if (same != masks_.end()) return element(same->array, integer(0));
    masks_.push_back({key, context_->once("mask " + key, wish), condition});
    arrays_.push_back({PrivateArray{masks_.back().array, 1, Type::i32}});
    return element(masks_.back().array, integer(0));
}

ExprRef PipelineFrame::has_bit(const ExprRef& bits, const ExprRef& number) {
    return binary("!=", binary("&", bits, binary("<<", integer(1), number)), integer(0));
}

ExprRef PipelineFrame::own_cells() {
    ExprRef cells;
    for (std::size_t axis = 0; axis < walk(); ++axis) {
        const int halo = schedule_.halo(axis);
        if (halo > 0) cells = both(cells, binary(">=", own(axis), integer(halo)));
        if (halo > 0) cells = both(cells, binary("<", own(axis), integer(schedule_.cells(axis) - halo)));
        cells = both(cells, binary("<", at(axis), context_->extent(axis)));
    }
    return mask("own", "is_own", cells);
}

}  // namespace kasc::kernel
