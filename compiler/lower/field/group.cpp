// A group of four: cells x … x + 3 with x a multiple of 4. A row that cells read at -1 and +2:
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

GroupWriter::GroupWriter(FieldContext& context, const CellProgram& program, std::vector<std::string> coordinates,
                         std::optional<std::size_t> inner)
    : FieldPath(context, std::move(coordinates), inner),
      program_(program),
      width_(context.schedule.choice.vector),
      ends_(row_ends(*context.schedule.work, context.schedule.choice)) {}

ExprRef GroupWriter::read(const CellUse& use, const Lane& lane) {
    const CellValue& value = program_.values[use.value];
    return value.read != nullptr ? load(value, lane.further(use.cells)) : value_of(value, lane.further(use.cells));
}

/// Where the call assigns; null: everywhere. Kept layers of moving axes lie outside the interior.
ExprRef GroupWriter::assigned_where(const CellValue& value, const Lane& lane) {
    const FieldCall& call = call_of(value);
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
        where = both(where, equals(coordinate(f.axis, program_.at(value), lane), context_.scalar(f.position)));
    }
    return where;
}

/// Where groups compute the rim along the first axis: the lane's cell is not in layers that the call keeps; null:
/// never.
ExprRef GroupWriter::outside_rim(const FieldCall& call, const Lane& lane) {
    if (!program_.view.rim) return nullptr;
    for (std::size_t k = 0; k < call.target.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&call.target[k]);
        if (!moving || moving->axis != 0) continue;
        const ExprRef x = add(add(name(cell_[0]), lane.at), integer(lane.shift));
        return within(x, call.kept[k].low, call.kept[k].high, context_.extent(std::size_t{0}));
    }
    return nullptr;
}

/// Readers see the former value where the call assigns nothing; a store alone leaves those cells out.
bool GroupWriter::shows_former(const CellValue& value) const {
    return call_of(value).merges || context_.plan.read_inside(value.call);
}

ExprRef GroupWriter::expression(const CellValue& value, const Lane& lane) {
    const FieldCall& call = call_of(value);
    const ExprRef where = both(outside_rim(call, lane), shows_former(value) ? assigned_where(value, lane) : ExprRef());
    const ExprRef word = lower_value(*call.statement, context_.cell_type(value.value), sources(value, lane));
    if (!where) return word;
    return select(where, word, call.former ? read(value.former.value(), lane) : context_.zero(value.value));
}

ExpressionSources GroupWriter::sources(const CellValue& value, const Lane& lane) {
    return {
        [this, &value, lane](std::size_t operand) {
            const FieldRead& r = call_of(value).reads.at(operand);
            const ExprRef word =
                is_computed(r.indices) ? gather(value, operand, lane) : read(program_.operand(value, operand), lane);
            return ExpressionSources::Word{word, context_.cell_type(r.value)};
        },
        [this](const ExpressionRef& e, Precision precision) { return context_.scalar(e, precision); },
        [this, &value, lane](AxisId axis) { return coordinate(context_.kernel_axis(axis), program_.at(value), lane); },
        [this](Type type, const ExprRef& part) {
            return lane_body_ ? lane_let(type, context_.fresh("part"), part) : part_register(type, part);
        },
        [this, lane](const FunctionWord& f, const std::vector<ExprRef>& words) {
            return lane_body_ ? lane_function_word(f, words, lane) : function_word(f, words);
        },
        settled_at(program_, value),
        context_.long_integers(*call_of(value).statement)};
}

/// One array has the results of all lanes: of eigsym33, three words a lane. Each lane is called in the loop that asks
/// first; other loops over as many lanes take other words of the same results.
ExprRef GroupWriter::lane_function_word(const FunctionWord& call, const std::vector<ExprRef>& words, const Lane& lane) {
    const CellFunction& function = context_.program.cell_functions[call.function];
    const auto count = static_cast<int>(function.words.size());
    const std::string key = fmt::format("{} of {} lanes", call_key(call, words), lanes_);
    const std::string n = context_.once(key, function.name + "_of");
    const ExprRef first = multiply(lane.at, integer(count));
    if (!known(n)) {
        hold(n);
        emit({RegisterArray{n, lanes_ * count}});
        append(*lane_body_, called(call, words, key, {n, first}));
    }
    return element(n, add(first, integer(call.word)));
}

ExprRef GroupWriter::coordinate(std::size_t axis, const At& at, const Lane& lane) {
    if (axis == 0) return add(add(name(cell_[0]), lane.at), integer(lane.shift));
    return add(name(cell_[axis]), integer(sum(at[axis])));
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
        coordinates.push_back(coordinate(moving->axis, at, lane));
    }
    const std::string n = context_.register_name(r.value, fmt::format("coarse {} {}", step, register_key(r.value, at)),
                                                 step_suffix(context_, at));
    if (!known(n)) {
        hold(n);
        const ExprRef word = element(context_.array_in(r.value), context_.index(r.value, coordinates));
        place(r.indices).push_back({Let{register_type(context_.cell_type(r.value)), n, word}});
    }
    return name(n);
}

ExprRef GroupWriter::gather(const CellValue& value, std::size_t operand, const Lane& lane) {
    const FieldCall& call = call_of(value);
    const FieldRead& r = call.reads[operand];
    const CellUse& use = program_.operand(value, operand);
    const At& at = program_.at(program_.values[use.value]);
    if (const ExprRef coarse = coarse_load(r, at, lane)) return coarse;
    const Lane to = lane.further(use.cells);
    // Cells of a kept rim are computed and not stored: they read some cell of the grid.
    const bool rim = !context_.schedule.work->edges || ends_ != RowEnds::edge_path;
    const bool further = to.shift != 0 || value.low != 0 || value.high != 0;  // lanes of a row beside the group
    const bool may_leave = width_ > 1 && further && rim;
    return word_at(
        r, call.statement->precision, sources(value, lane),
        [&](std::size_t axis) {
            const ExprRef along = coordinate(axis, at, to);
            return axis == 0 && may_leave ? nearest_position(along, context_.plan.axes[0]) : along;
        },
        [&](const std::string& n, const ExprRef& position) {
            return lane_body_ ? lane_let(Type::i32, n, position) : position;
        });
}

ExprRef GroupWriter::value_of(const CellValue& value, const Lane& lane) {
    for (const FixedAxis& f : call_of(value).fixed) {
        if (f.axis != 0 || f.by == FixedBy::target) continue;
        // At one position, known to be this cell's: no row. Without a first axis: one value for the group.
        if (f.by == FixedBy::operand) return expression(value, lane);
        const std::string n = value_name(value.value, program_.at(value));
        if (known(n)) return name(n);
        Body* const lanes = std::exchange(lane_body_, nullptr);  // it stands outside of their loop
        const ExprRef word = expression(value, lane);
        lane_body_ = lanes;
        return let(register_type(context_.cell_type(value.value)), n, word);
    }
    return value_row(value, lane);
}

ExprRef GroupWriter::value_row(const CellValue& value, const Lane& lane) {
    const std::string n = value_name(value.value, program_.at(value));
    if (!known(n)) {
        const ExprRef v = lane_name();
        Body each;
        const int words = width_ + value.high - value.low;
        const ExprRef word = in_lane(each, words, [&] { return expression(value, {v, value.low}); });
        const CellType type = context_.cell_type(value.value);
        const bool stored_alone = !context_.plan.read_inside(value.call);  // in the words of memory
        emit({RegisterArray{n, words, stored_alone ? word_type(type) : row_type(type)}});
        hold(n);
        each.push_back({Assign{element(n, v), word}});
        emit({For{context_.once("lane", "v"), integer(0), integer(words), 1, -1, std::move(each)}});
        if (ends_ == RowEnds::mapped) map_ends(value, n);
    }
    return element(n, add(lane.at, integer(lane.shift - value.low)));
}

}  // namespace kasc::kernel
