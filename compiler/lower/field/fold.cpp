// A block of 256 threads has 256 lanes of one result, or 32 of eight, or eight of 32:
//
//   sum(u)          lanes along x         blocks (parts)
//   sum(u, x)       lanes along x, results along y       blocks (parts, ny / 8, nz)
//   sum(u, z)       results along x, lanes along y       blocks (parts, nx / 32, ny)
//
// A fixed tree joins the lanes. Their accumulators meet in shared memory, with a barrier after each of its steps; on a
// GPU lanes along x that are threads of one warp exchange them: 16 apart, 8, … 1, without either.
#include "lower/field/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "lower/block.hpp"

namespace kasc::kernel {

namespace {

Type accumulator_type(const FieldStatement& statement, CellType target) {
    const bool sum = statement.fold->op == FoldOperator::sum;
    if (is_integer(target)) return sum ? Type::i64 : Type::i32;
    return sum ? Type::f64 : real_type(statement.precision);
}

bool is_moving_along(const FieldIndex& index, std::size_t axis) {
    const auto* moving = std::get_if<Moving>(&index);
    return moving && moving->axis == axis;
}

}  // namespace

FoldFrame::FoldFrame(FieldContext& c)
    : context(c),
      call(c.plan.calls.front()),
      fold(*call.statement->fold),
      results(fold_threads / fold.lanes),
      lane_dimension(fold.lanes == column_lanes ? Dimension::y : Dimension::x),
      result_dimension(fold.lanes == column_lanes ? Dimension::x : Dimension::y),
      type(accumulator_type(*call.statement, c.cell_type(call.value))) {
    for (const AxisId axis : fold.axes) folded.push_back(context.kernel_axis(axis));
    for (std::size_t k = 0; k < context.rank(); ++k) {
        const AxisId axis = context.plan.axes[k];
        if (axis != fold.parts && std::find(folded.begin(), folded.end(), k) == folded.end()) kept.push_back(k);
    }
    flat = is_flat();
}

bool FoldFrame::is_flat() const {
    bool coordinates = false;
    for_each_part(*call.statement->value, [&](const Expression& part) {
        const auto* use = std::get_if<CoordinateUse>(&part.node);
        coordinates =
            coordinates || (use && std::find(fold.axes.begin(), fold.axes.end(), use->axis) != fold.axes.end());
    });
    if (coordinates) return false;
    return std::all_of(call.reads.begin(), call.reads.end(), [&](const FieldRead& read) {
        if (is_computed(read.indices)) return false;
        const auto along = [&](const FieldIndex& index) {
            return std::any_of(folded.begin(), folded.end(), [&](std::size_t k) { return is_moving_along(index, k); });
        };
        const auto start = std::find_if(read.indices.begin(), read.indices.end(), along);
        if (start == read.indices.end()) return true;
        if (static_cast<std::size_t>(read.indices.end() - start) < folded.size()) return false;
        for (std::size_t k = 0; k < folded.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&start[static_cast<std::ptrdiff_t>(k)]);
            if (!moving || moving->axis != folded[k] || moving->step != 0) return false;
        }
        return std::none_of(start + static_cast<std::ptrdiff_t>(folded.size()), read.indices.end(), along);
    });
}

ExprRef FoldFrame::cells(std::size_t from) {
    ExprRef product = integer(1);
    for (std::size_t k = folded.size(); k-- > from;) product = multiply(wide(context.extent(folded[k])), product);
    return product;
}

ExprRef FoldFrame::result_groups() { return block_count(result_extent(), results); }

std::array<ExprRef, 3> FoldFrame::grid() {
    ExprRef blocks = fold.parts ? wide(context.extent(*fold.parts)) : wide(integer(1));
    if (!kept.empty()) blocks = multiply(blocks, result_groups());
    for (std::size_t k = 1; k < kept.size(); ++k) blocks = multiply(blocks, context.extent(kept[k]));
    return {blocks, integer(1), integer(1)};
}

Body FoldFrame::opening() {
    Body body;
    ExprRef number = block_index(Dimension::x);
    // The rest of a division, and what is left to divide.
    const auto take = [&](Type t, const std::string& n, const ExprRef& count, bool last) {
        body.push_back({Let{t, n, last ? number : modulo(number, count)}});
        if (!last) number = divide(number, count);
    };
    if (fold.parts)
        take(Type::i32, context.coordinate(context.kernel_axis(*fold.parts)), context.extent(*fold.parts),
             kept.empty());
    if (!kept.empty()) {
        const std::string group = context.once("group of results", "group");
        take(Type::i32, group, result_groups(), kept.size() == 1);
        body.push_back(
            {Let{Type::i32, std::get<Name>(first_result()->node).name, multiply(name(group), integer(results))}});
    }
    for (std::size_t k = 1; k < kept.size(); ++k)
        take(Type::i32, context.coordinate(kept[k]), context.extent(kept[k]), k + 1 == kept.size());
    const std::string all = context.once("all numbers", "cells");
    body.push_back({Let{Type::i64, all, cells()}});
    const std::string from = std::get<Name>(first()->node).name, counted = std::get<Name>(count()->node).name;
    if (!fold.parts) {
        body.push_back({Let{Type::i64, from, wide(integer(0))}});
        body.push_back({Let{Type::i32, counted, convert(Type::i32, name(all))}});
    } else {
        // fold_share (frontend/reduction): a multiple of the lanes.
        const std::string share = context.once("share", "share");
        const ExprRef parts = context.extent(*fold.parts);
        const ExprRef part = name(context.coordinate(context.kernel_axis(*fold.parts)));
        const ExprRef even = divide(subtract(add(name(all), parts), integer(1)), parts);
        const ExprRef rounded =
            multiply(divide(add(even, integer(fold.lanes - 1)), integer(fold.lanes)), integer(fold.lanes));
        body.push_back({Let{Type::i64, share, rounded}});
        body.push_back({Let{Type::i64, from, multiply(name(share), part)}});
        const ExprRef left = subtract(name(all), name(from));
        body.push_back(
            {Let{Type::i32, counted, convert(Type::i32, select(binary("<", left, name(share)), left, name(share)))}});
    }
    if (!in_warps(fold.lanes / 2)) {
        for (Statement& s : declare_shared(*context.schedule.block, {context.once("accumulators", "lanes")}, {type}))
            body.push_back(std::move(s));
    }
    if (in_warps(1)) body.push_back({PrivateArray{exchanged(), 2, type}});
    return body;
}

ExprRef FoldFrame::nothing() const {
    const Precision precision = type == Type::f64 ? Precision::dual : Precision::single;
    const bool real_numbers = type == Type::f32 || type == Type::f64;
    if (fold.op == FoldOperator::sum) return real_numbers ? real(0, precision) : integer(0);
    if (real_numbers) return real(std::numeric_limits<double>::quiet_NaN(), precision);
    const bool least = fold.op == FoldOperator::minimum;
    return integer(least ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min());
}

ExprRef FoldFrame::joined(const ExprRef& sum, const ExprRef& value) const {
    if (fold.op == FoldOperator::sum) return binary("+", sum, value);
    const ExprRef beyond = binary(fold.op == FoldOperator::minimum ? "<" : ">", value, sum);
    if (type == Type::i32) return select(beyond, value, sum);
    // NaN is beyond nothing; in front of it, anything is better.
    return select(binary("||", beyond, binary("!=", sum, sum)), value, sum);
}

ExprRef FoldFrame::lane_result() {
    return in_warps(fold.lanes / 2) ? element(exchanged(), integer(0)) : accumulator(linear_thread());
}

ExprRef FoldFrame::accumulator(const ExprRef& thread) { return element(context.once("accumulators", "lanes"), thread); }

Body FoldFrame::cell(const CellProgram& path, const ExprRef& accumulator, const ExprRef& number) {
    CellWriter writer(context, path, coordinates(context));
    if (flat) writer.walk_as_one(folded, number, cells());
    const std::string value = context.once("value of a cell", "value");
    const ExprRef folded_value = writer.folded(type);
    Body body = writer.take_body();
    body.push_back({Let{type, value, folded_value}});
    body.push_back({Assign{accumulator, joined(accumulator, name(value))}});
    return body;
}

Body FoldFrame::join_cell(const ExprRef& accumulator, const ExprRef& number) {
    const FieldPaths& paths = context.schedule.paths;
    if (!context.schedule.work->edges) return cell(*paths.cell, accumulator, number);
    const ExprRef inside = in_interior(context, 0, context.rank());
    return {
        {If{inside, cell(*paths.cell, accumulator, number), cell(*context.schedule.work->edge, accumulator, number)}}};
}

Statement FoldFrame::store() {
    std::vector<ExprRef> at;
    for (const FieldIndex& index : call.target) {
        const auto* moving = std::get_if<Moving>(&index);
        at.push_back(moving ? name(context.coordinate(moving->axis))
                            : context.scalar(std::get<Absolute>(index).position));
    }
    const Type word = word_type(context.cell_type(call.value));
    const ExprRef own = in_warps(1) ? element(exchanged(), integer(0)) : accumulator(linear_thread());
    return {Assign{element(context.array_out(call.value), context.index(call.value, at)),
                   word == type ? own : convert(word, own)}};
}

/// The last steps of the tree, each thread's sum beside the one that it is given.
Body FoldFrame::exchange_lanes() {
    const ExprRef own = element(exchanged(), integer(0)), other = element(exchanged(), integer(1));
    Body body;
    if (!in_warps(fold.lanes / 2)) body.push_back({Threads{{{Assign{own, accumulator(linear_thread())}}}}});
    for (int half = std::min(fold.lanes, warp_threads) / 2; half > 0; half /= 2) {
        body.push_back({Exchange{exchanged(), 1, exchanged(), 0, 1, half}});
        body.push_back({Threads{{{If{
            binary("<", thread_index(lane_dimension), integer(half)), {{Assign{own, joined(own, other)}}}, {}}}}}});
    }
    return body;
}

Body FoldFrame::block(Body folding) {
    const ExprRef lane = thread_index(lane_dimension);
    const int pitch = lane_dimension == Dimension::x ? 1 : results;
    const std::string own = context.once("own", "own"), other = context.once("other", "other");
    std::vector<Body> steps{std::move(folding)};
    for (int half = fold.lanes / 2; half > 0 && !in_warps(half); half /= 2) {
        const ExprRef theirs = accumulator(add(linear_thread(), integer(half * pitch)));
        Body join{{Let{type, own, accumulator(linear_thread())}},
                  {Let{type, other, theirs}},
                  {Assign{accumulator(linear_thread()), joined(name(own), name(other))}}};
        steps.push_back({{Threads{{{If{binary("<", lane, integer(half)), std::move(join), {}}}}}}});
    }
    if (in_warps(1)) steps.push_back(exchange_lanes());
    Body last;
    ExprRef stores = binary("==", lane, integer(0));
    if (!kept.empty()) {
        last.push_back({Let{Type::i32, result(), add(first_result(), thread_index(result_dimension))}});
        stores = both(stores, binary("<", name(result()), result_extent()));
    }
    last.push_back({If{stores, {store()}, {}}});
    steps.push_back({{Threads{std::move(last)}}});
    Body body = opening();
    for (Statement& s : lower_block(*context.schedule.block, std::move(steps))) body.push_back(std::move(s));
    return body;
}

}  // namespace kasc::kernel
