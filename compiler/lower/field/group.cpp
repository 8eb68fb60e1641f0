// A group of four: cells x … x + 3 with x a multiple of 4. Of a row that cells read at -1 and +2:
//
//   T_0[7]:  x-1 | x x+1 x+2 x+3 | x+4 x+5        loaded as one word, one group of four, one pair
//   flux[v] = T_0[v + 3] - T_0[v]                 for v in 0 … 3, unrolled: registers, no indexing is left
//
// Recomputed values are rows too: flux at -1 and 0 makes flux_0[5].
#include "lower/field/group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/field/expression.hpp"

namespace kasc::kernel {

GroupWriter::GroupWriter(FieldContext& context, std::vector<std::string> coordinates, std::optional<std::size_t> inner)
    : FieldPath(context, std::move(coordinates), inner),
      width_(context.schedule.choice.vector),
      stored_rows_(context.schedule.choice.rows) {
    for (int row = 0; row < stored_rows_; ++row) {
        for (std::size_t k = 0; k < context_.plan.calls.size(); ++k) {
            if (context_.plan.calls[k].stored) find_ranges(k, own(row));
        }
    }
}

GroupWriter::At GroupWriter::own(int row) const {
    At at(context_.rank(), 0);
    if (row != 0) at[1] = row;
    return at;
}

ExprRef GroupWriter::read(const FieldRead& r, const At& row, const Lane& lane) {
    At at = step(r, row);
    const Lane to{lane.at, lane.shift + at[0]};
    at[0] = 0;
    return r.producer ? value_of(*r.producer, at, to) : load(r, at, to);
}

/// Where the call assigns; null: everywhere. Kept layers of moving axes lie outside the interior.
ExprRef GroupWriter::assigned_where(const FieldCall& call, const At& row, const Lane& lane) {
    ExprRef where;
    const std::vector<AxisId>& axes = context_.shape(call.value).axes;
    for (std::size_t k = call.target.size(); k-- > 0;) {
        const auto* absolute = std::get_if<Absolute>(&call.target[k]);
        if (!absolute || call.kept[k] == KeptLayers{}) continue;
        where = both(where, within(context_.scalar(absolute->position), call.kept[k].low, call.kept[k].high,
                                   context_.extent(axes[k])));
    }
    for (std::size_t k = call.fixed.size(); k-- > 0;) {
        const FixedAxis& f = call.fixed[k];
        if (f.by != FixedBy::target || &call == standing_) continue;
        ExprRef at = add(name(cell_[f.axis]), integer(row[f.axis]));
        if (f.axis == 0) at = add(add(name(cell_[0]), lane.at), integer(lane.shift));
        where = both(where, equals(at, context_.scalar(f.position)));
    }
    return where;
}

/// Where groups compute the rim along the first axis: the lane's cell is not in layers that the call keeps; null:
/// never.
ExprRef GroupWriter::outside_rim(const FieldCall& call, const Lane& lane) {
    if (!context_.schedule.rim_in_groups || width_ == 1) return nullptr;
    for (std::size_t k = 0; k < call.target.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&call.target[k]);
        if (!moving || moving->axis != 0) continue;
        const ExprRef x = add(add(name(cell_[0]), lane.at), integer(lane.shift));
        return within(x, call.kept[k].low, call.kept[k].high, context_.extent(std::size_t{0}));
    }
    return nullptr;
}

/// Readers see the former value where the call assigns nothing; a store alone leaves those cells out.
bool GroupWriter::shows_former(std::size_t call) const {
    return context_.plan.calls[call].merges || context_.plan.read_inside(call);
}

ExprRef GroupWriter::expression(std::size_t call, const At& row, const Lane& lane) {
    const FieldCall& c = context_.plan.calls[call];
    const ExprRef where = both(outside_rim(c, lane), shows_former(call) ? assigned_where(c, row, lane) : ExprRef());
    const ExprRef value = lower_value(*c.statement, context_.cell_type(c.value), sources(c, row, lane));
    if (!where) return value;
    return select(where, value, c.former ? read(*c.former, row, lane) : context_.zero(c.value));
}

ExpressionSources GroupWriter::sources(const FieldCall& call, const At& row, const Lane& lane) {
    return {[this, &call, row, lane](std::size_t operand) {
                const FieldRead& r = call.reads.at(operand);
                const ExprRef value = is_computed(r.indices) ? gather(call, r, row, lane) : read(r, row, lane);
                return ExpressionSources::Word{value, context_.cell_type(r.value)};
            },
            [this](const ExpressionRef& e, Precision precision) { return context_.scalar(e, precision); },
            [this, row, lane](AxisId axis) { return coordinate(context_.kernel_axis(axis), row, lane); },
            [](Type, const ExprRef& value) { return value; }};  // schedules group no complex cells
}

ExprRef GroupWriter::coordinate(std::size_t axis, const At& row, const Lane& lane) {
    if (axis == 0) return add(add(name(cell_[0]), lane.at), integer(lane.shift));
    return add(name(cell_[axis]), integer(row[axis]));
}

/// `mark[x = x / 32]`: one word for all cells of the group, which begins at a multiple of its width. It lies in the
/// grid wherever the cells do, so that it is loaded with the rest. Null: another read.
ExprRef GroupWriter::coarse_load(const FieldRead& r, const At& at, const Lane& lane) {
    const std::vector<AxisId>& axes = context_.shape(r.value).axes;
    const auto* computed = r.indices.empty() ? nullptr : std::get_if<Computed>(&r.indices.front());
    const auto* division = computed ? std::get_if<BinaryOperation>(&computed->position->node) : nullptr;
    if (division == nullptr || division->op != BinaryOperator::divide || lane.shift != 0) return nullptr;
    const auto* x = std::get_if<CoordinateUse>(&division->left->node);
    const auto* cells = std::get_if<Literal>(&division->right->node);
    if (!x || !cells || x->axis != axes.front() || context_.kernel_axis(x->axis) != 0) return nullptr;
    const auto step = static_cast<std::int64_t>(cells->value);
    if (step < width_ || step % width_ != 0) return nullptr;
    std::vector<ExprRef> coordinates{divide(name(cell_[0]), integer(step))};
    for (std::size_t k = 1; k < r.indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&r.indices[k]);
        if (!moving) return nullptr;
        coordinates.push_back(add(name(cell_[moving->axis]), integer(at[moving->axis])));
    }
    const std::string n = context_.register_name(
        r.value, fmt::format("coarse {} {}", step, register_key(r.value, sums(at))), step_suffix(context_, sums(at)));
    if (!known(n)) {
        hold(n);
        const ExprRef word = element(context_.array_in(r.value), context_.index(r.value, coordinates));
        place(r.indices).push_back({Let{register_type(context_.cell_type(r.value)), n, word}});
    }
    return name(n);
}

ExprRef GroupWriter::gather(const FieldCall& call, const FieldRead& r, const At& row, const Lane& lane) {
    const At at = step(r, row);
    if (const ExprRef coarse = coarse_load(r, at, lane)) return coarse;
    const Lane to{lane.at, lane.shift + at[0]};
    // Cells of a kept rim are computed and not stored: they read some cell of the grid.
    const bool rim = !context_.schedule.edges || context_.schedule.rim_in_groups;
    const bool may_leave = width_ > 1 && to.shift != 0 && rim;
    return word_at(
        r, call.statement->precision, sources(call, row, lane),
        [&](std::size_t axis) {
            const ExprRef along = coordinate(axis, at, to);
            return axis == 0 && may_leave ? nearest_position(along, context_.plan.axes[0]) : along;
        },
        [&](const std::string& n, const ExprRef& position) { return lane_body_ ? lane_let(n, position) : position; });
}

ExprRef GroupWriter::value_of(std::size_t call, const At& row, const Lane& lane) {
    const FieldCall& c = context_.plan.calls[call];
    for (const FixedAxis& f : c.fixed) {
        if (f.axis != 0 || f.by == FixedBy::target) continue;
        // At one position, known to be this cell's: no row. Without a first axis: one value for the group.
        if (f.by == FixedBy::operand) return expression(call, row, lane);
        const std::string n = value_name(c.value, row);
        if (known(n)) return name(n);
        Body* const lanes = std::exchange(lane_body_, nullptr);  // it stands outside of their loop
        const ExprRef value = expression(call, row, lane);
        lane_body_ = lanes;
        return let(register_type(context_.cell_type(c.value)), n, value);
    }
    return value_row(call, row, lane);
}

ExprRef GroupWriter::value_row(std::size_t call, const At& row, const Lane& lane) {
    const FieldCall& c = context_.plan.calls[call];
    const std::string key = row_key({c.value, call, {}}, row);
    const std::string n = value_name(c.value, row);
    const auto found = ranges_.find(key);
    Range range = found == ranges_.end() ? Range{} : found->second;
    // The group itself is stored from this row.
    const bool beside_walk = std::all_of(row.begin(), row.end(), [&](const int& o) { return o == 0 || &o == &row[1]; });
    if (c.stored && beside_walk && (row.size() < 2 || (row[1] >= 0 && row[1] < stored_rows_))) {
        range = {std::min(range.low, 0), std::max(range.high, 0)};
    }
    if (!known(n)) {
        const ExprRef v = lane_name();
        Body each;
        const ExprRef value = in_lane(each, [&] { return expression(call, row, {v, range.low}); });
        const int words = width_ + range.high - range.low;
        emit({RegisterArray{n, words, word_type(context_.cell_type(c.value))}});
        hold(n);
        each.push_back({Assign{element(n, v), value}});
        emit({For{context_.once("lane", "v"), integer(0), integer(words), 1, -1, std::move(each)}});
    }
    return element(n, add(lane.at, integer(lane.shift - range.low)));
}

}  // namespace kasc::kernel
