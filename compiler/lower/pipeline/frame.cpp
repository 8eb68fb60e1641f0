#include "lower/pipeline/frame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

PipelineFrame::PipelineFrame(const PipelineSchedule& schedule, const Program& program, const Graph& graph, bool wide)
    : wide_(wide),
      schedule_(schedule),
      work_(*schedule.work),
      program_(program),
      graph_(graph),
      context_(std::make_unique<FieldContext>(work_.stages.front().cells, program, graph)),
      plane_(name(context_->once("plane", "plane"))),
      row_(name(context_->once("row of thread", "r"))) {
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
        body.push_back({Let{Type::i32, text_of(first(axis)), subtract(cells, integer(work_.halo[axis]))}});
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
    if (!work_.around[axis]) return minimum(maximum(place, integer(0)), subtract(n, integer(1)));
    return modulo(add(modulo(place, n), n), n);
}

Body PipelineFrame::each_row(Body body) {
    Body all, each;
    const std::size_t axis = walk() - 1;
    if (walk() > 1) {
        all.push_back({Let{Type::i32, text_of(own(0)), thread_index(Dimension::x)}});
        place_along(all, 0);
    }
    const ExprRef of_row = walk() > 1
                               ? add(multiply(thread_index(Dimension::y), integer(rows())), row_)
                               : add(thread_index(Dimension::x), multiply(row_, integer(schedule_.choice.threads_x)));
    each.push_back({Let{Type::i32, text_of(own(axis)), of_row}});
    place_along(each, axis);
    const ExprRef number = walk() > 1 ? add(multiply(own(1), integer(schedule_.cells(0))), own(0)) : own(0);
    each.push_back({Let{Type::i32, text_of(cell()), number}});
    append(each, std::move(body));
    all.push_back({For{text_of(row_), integer(0), integer(rows()), 1, -1, std::move(each)}});
    return all;
}

void PipelineFrame::place_along(Body& body, std::size_t axis) {
    body.push_back({Let{Type::i32, text_of(at(axis)), add(first(axis), own(axis))}});
    body.push_back({Let{Type::i32, context_->coordinate(axis), on_grid(axis, at(axis))}});
}

ExprRef PipelineFrame::plane_stride() {
    ExprRef cells = wide(context_->extent(std::size_t{0}));
    for (std::size_t axis = 1; axis < walk(); ++axis) cells = multiply(cells, context_->extent(axis));
    return context_->preamble_let(Type::i64, "cells of a plane", "plane_cells", cells);
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
    const int first = age * rows() + row;
    return element(queue_name(value), first < 0 ? subtract(row_, integer(-first)) : add(integer(first), row_));
}

ExprRef PipelineFrame::word_of_plane(const KeptPlanes& kept, const ExprRef& plane, Body& body) {
    const std::string z =
        context_->once(fmt::format("ahead along {}", kept.extent.lag), context_->coordinate(walk()) + "_ahead");
    if (declared_.insert(z).second) body.push_back({Let{Type::i32, z, on_grid(walk(), plane)}});
    return element(context_->array_in(kept.value), index_in(name(z)));
}

ExprRef PipelineFrame::mask(const std::string& key, const std::string& wish, const ExprRef& condition) {
    const auto same = std::find_if(masks_.begin(), masks_.end(), [&](const Mask& m) { return m.key == key; });
    if (same != masks_.end()) return element(same->array, integer(0));
    masks_.push_back({key, context_->once("mask " + key, wish), condition});
    arrays_.push_back({PrivateArray{masks_.back().array, 1, Type::i32}});
    return element(masks_.back().array, integer(0));
}

ExprRef PipelineFrame::has_bit(const ExprRef& bits) {
    return binary("!=", binary("&", bits, binary("<<", integer(1), row_)), integer(0));
}

ExprRef PipelineFrame::own_rows() {
    ExprRef rows;
    for (std::size_t axis = 0; axis < walk(); ++axis) {
        const int halo = work_.halo[axis];
        if (halo > 0) rows = both(rows, binary(">=", own(axis), integer(halo)));
        if (halo > 0) rows = both(rows, binary("<", own(axis), integer(schedule_.cells(axis) - halo)));
        rows = both(rows, binary("<", at(axis), context_->extent(axis)));
    }
    return mask("own", "is_own", rows);
}

}  // namespace kasc::kernel
