// A group of four: cells x … x + 3 with x a multiple of 4. Of a row that cells read at -1 and +2:
//
//   T_0[7]:  x-1 | x x+1 x+2 x+3 | x+4 x+5        loaded as one word, one group of four, one pair
//   flux[v] = T_0[v + 3] - T_0[v]                 for v in 0 … 3, unrolled: registers, no indexing is left
//
// Recomputed values are rows too: flux at -1 and 0 makes flux_0[5].
#include "kernel/field_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/field_expression.hpp"

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

// --- ranges ---

void GroupWriter::find_ranges(std::size_t call, const At& offset) {
    if (!ranged_.emplace(call, offset).second) return;
    for (const FieldRead& r : context_.plan.calls[call].reads) {
        if (!is_computed(r.indices)) find_range(r, offset);
    }
    const FieldCall& c = context_.plan.calls[call];
    if (c.former && (shows_former(call) || outside_rim(c, {integer(0), 0}))) find_range(*c.former, offset);
}

void GroupWriter::find_range(const FieldRead& read, const At& from) {
    At at = step(read, from);
    const auto [range, added] = ranges_.try_emplace(row_key(read, at), Range{at[0], at[0]});
    range->second.low = std::min(range->second.low, at[0]);
    range->second.high = std::max(range->second.high, at[0]);
    if (read.producer) find_ranges(*read.producer, at);
}

GroupWriter::At GroupWriter::step(const FieldRead& read, const At& from) const {
    At at(context_.rank(), 0);
    if (read.producer) {
        for (const FixedAxis& f : context_.plan.calls[*read.producer].fixed) {
            if (f.by == FixedBy::operand) at[f.axis] = from[f.axis];
        }
    }
    for (const FieldIndex& index : read.indices) {
        if (const auto* moving = std::get_if<Moving>(&index)) at[moving->axis] = from[moving->axis] + moving->step;
    }
    return at;
}

std::string GroupWriter::row_key(const FieldRead& read, const At& offset) {
    std::string key = fmt::format("row {}", read.value.index);
    if (!read.producer) key += context_.layout(read.value, read.indices);
    for (std::size_t k = 1; k < offset.size(); ++k) key += fmt::format(" {}", offset[k]);
    return key;
}

namespace {

std::vector<Chain> sums(const std::vector<int>& row) {
    std::vector<Chain> chains(row.size());
    for (std::size_t k = 1; k < row.size(); ++k) chains[k] = extend({}, BoundaryKind::periodic, row[k]);
    return chains;
}

}  // namespace

std::string GroupWriter::value_name(ValueId value, const At& row) {
    return context_.register_name(value, register_key(value, sums(row)), step_suffix(context_, sums(row)));
}

std::string GroupWriter::row_name(const FieldRead& read, const std::vector<int>& offset) {
    const bool positioned = std::any_of(read.indices.begin(), read.indices.end(),
                                        [](const FieldIndex& i) { return std::holds_alternative<Absolute>(i); });
    if (!positioned) return value_name(read.value, offset);
    const std::string suffix = step_suffix(context_, sums(offset));
    return context_.register_name(read.value,
                                  register_key(read.value, sums(offset)) + context_.layout(read.value, read.indices),
                                  suffix == "0" ? "at" : "at_" + suffix);
}

// --- memory ---

ExprRef GroupWriter::address(const FieldRead& read, const At& row) {
    ExprRef index = base_index(read.value, read.indices);
    for (std::size_t k = read.indices.size(); k-- > 0;) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        const int o = moving && moving->axis != 0 ? row[moving->axis] : 0;
        if (o == 0) continue;
        const ExprRef words = multiply(integer(std::abs(o)), context_.stride(read.value, k));
        index = o < 0 ? subtract(index, words) : add(index, words);
    }
    return index;
}

ExprRef GroupWriter::load(const FieldRead& read, const At& row, const Lane& lane) {
    if (same_for_all(read.indices)) return uniform_load(read);
    const std::string key = row_key(read, row);
    const std::string n = row_name(read, row);
    if (!moves_along(read.indices, 0)) {
        if (known(n)) return name(n);
        const ExprRef word = element(context_.array_in(read.value), address(read, row));
        hold(n);
        place(read.indices).push_back({Let{register_type(context_.cell_type(read.value)), n, word}});
        return name(n);
    }
    const Range range = ranges_.at(key);
    // Three words beside a group of four are fetched as four: an aligned access is one.
    const auto words = [&](int reach) { return reach <= 0 ? 0 : reach == 3 && width_ == 4 ? 4 : reach; };
    const FieldRow line{&read, row, n, words(-range.low), words(range.high)};
    if (!in_slice_ && std::none_of(rows_.begin(), rows_.end(), [&](const FieldRow& r) { return r.name == n; })) {
        rows_.push_back(line);
    }
    if (!known(n)) {
        hold(n);
        load_row(place(read.indices), line);
    }
    return element(n, add(lane.at, integer(lane.shift + line.low)));
}

void GroupWriter::load_row(Body& into, const FieldRow& row) {
    const bool held = held_groups_.contains(row.name);
    const auto shared = tile_index(*row.read, row.offset, row.low, row.high);
    const std::string array = shared ? tile_name(row.read->value) : context_.array_in(row.read->value);
    const ExprRef index = shared ? *shared : address(*row.read, row.offset);
    const auto piece = [&](int first, const ExprRef& at, int words) {
        if (width_ > 1 && (words == 2 || words == 4)) {
            into.push_back({LoadVector{row.name, integer(first), array, at, words}});
        } else {
            for (int k = 0; k < words; ++k)
                into.push_back({Assign{element(row.name, integer(first + k)), element(array, add(at, integer(k)))}});
        }
    };
    const auto side = [&](int words) { return shared ? beyond(index, words) : beside(row, index, words); };
    const Type type = word_type(context_.cell_type(row.read->value));
    if (!held) into.push_back({RegisterArray{row.name, row.low + width_ + row.high, type}});
    const ExprRef before = row.low > 0 ? side(-row.low) : nullptr;
    const ExprRef after = row.high > 0 ? side(row.high) : nullptr;
    if (before) piece(0, before, row.low);
    if (!held) piece(row.low, index, width_);
    if (after) piece(row.low + width_, after, row.high);
}

ExprRef GroupWriter::beyond(const ExprRef& index, int words) const {
    return words < 0 ? subtract(index, integer(-words)) : add(index, integer(width_));
}

/// Index of the first of `words` words in front of the group (negative) or behind it. Cells of a kept rim that share a
/// group with a visited cell are computed and not stored; where their neighbours could lie outside the array, they take
/// the group itself.
ExprRef GroupWriter::beside(const FieldRow& row, const ExprRef& index, int words) {
    const bool in_interior = context_.schedule.edges && !context_.schedule.rim_in_groups;
    if (width_ == 1 || in_interior || clear_of_ends(row, words)) return beyond(index, words);
    const ExprRef x = name(cell_[0]);
    const std::string n = words < 0 ? context_.once("left", "left") : context_.once("right", "right");
    if (!known(n)) {
        const ExprRef inside = words < 0 ? binary(">", x, integer(0))
                                         : binary("<", add(x, integer(width_)), context_.extent(std::size_t{0}));
        hold(n);
        // Of the column, not of the plane: it goes where the first axis is known.
        place({Moving{0, 0}})
            .push_back({Let{Type::i32, n, select(inside, integer(words < 0 ? -width_ : width_), integer(0))}});
    }
    return add(add(index, name(n)), integer(words < 0 ? width_ + words : 0));
}

/// With a row of the array to spare before (side < 0) or behind the group's own, its neighbours are words of the array.
bool GroupWriter::clear_of_ends(const FieldRow& row, int side) const {
    for (std::size_t k = 1; k < row.read->indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&row.read->indices[k]);
        if (!moving) continue;
        const FieldSchedule& s = context_.schedule;
        const int offset = row.offset[moving->axis];
        const int low = s.edges ? s.interior_low[moving->axis] : s.margin;
        const int high = s.edges ? s.interior_high[moving->axis] : s.margin;
        if (side < 0 ? low + offset >= 1 : high - offset >= 1) return true;
    }
    return false;
}

// --- evaluations ---

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

// --- stores ---

ExprRef GroupWriter::target_index(const FieldCall& call, int row) {
    return add(base_index(call.value, call.target), row_words(call.value, call.target, row));
}

void GroupWriter::store(std::size_t call, int row, Body& stores) {
    const FieldCall& c = context_.plan.calls[call];
    const At at = own(row);
    const ExprRef index = target_index(c, row);
    const std::string array = context_.array_out(c.value);
    const ExprRef first = value_row(call, at, {integer(0), 0});
    const auto& word = std::get<Element>(first->node);
    const Statement group = width_ == 1 ? Statement{Assign{element(array, index), first}}
                                        : Statement{StoreVector{array, index, word.array, word.index, width_}};
    const int margin = context_.schedule.margin;
    Body all{group};
    if (!context_.schedule.edges && margin % width_ != 0) {
        const ExprRef x = name(cell_[0]), v = lane_name(), extent = context_.extent(std::size_t{0});
        const ExprRef whole =
            both(binary(">=", x, integer(margin)), binary("<=", x, subtract(extent, integer(margin + width_))));
        const ExprRef cell = within(add(x, v), margin, margin, extent);
        const Statement one{Assign{element(array, add(index, v)), value_row(call, at, {v, 0})}};
        const Statement each{
            For{context_.once("lane", "v"), integer(0), integer(width_), 1, -1, {{If{cell, {one}, {}}}}}};
        all = {{If{whole, {group}, {each}}}};
    }
    const ExprRef kept = c.merges ? nullptr : assigned_where(c, at, {integer(0), 0});
    if (kept) all = {{If{kept, std::move(all), {}}}};
    for (Statement& s : all) stores.push_back(std::move(s));
}

/// A slice at one position of the first axis: the lane that stands there.
void GroupWriter::store_slice_cell(std::size_t call, int row, const FixedAxis& first) {
    const FieldCall& c = context_.plan.calls[call];
    const At at = own(row);
    const ExprRef v = lane_name();
    const ExprRef index = target_index(c, row);
    Body each;
    const ExprRef value = in_lane(each, [&] {
        return lower_value(*c.statement, context_.cell_type(c.value), sources(c, at, {v, 0}));
    });
    ExprRef where = equals(add(name(cell_[0]), v), context_.scalar(first.position));
    where = both(both(where, outside_rim(c, {v, 0})), assigned_where(c, at, {v, 0}));
    const ExprRef word = moves_along(c.target, 0) ? add(index, v) : index;
    const Statement assign{Assign{element(context_.array_out(c.value), word), value}};
    each.push_back({If{where, {assign}, {}}});
    emit({For{context_.once("lane", "v"), integer(0), integer(width_), 1, -1, std::move(each)}});
}

void GroupWriter::store_slice(std::size_t call, int row) {
    const FieldCall& c = context_.plan.calls[call];
    const At at = own(row);
    ExprRef where;
    const FixedAxis* first = nullptr;
    for (std::size_t k = c.fixed.size(); k-- > 0;) {
        const FixedAxis& f = c.fixed[k];
        if (f.axis == 0) first = &f;
        if (f.axis != 0)
            where = both(where, equals(add(name(cell_[f.axis]), integer(at[f.axis])), context_.scalar(f.position)));
    }
    Body slice = nested(true, [&] {
        standing_ = &c;
        if (first) return store_slice_cell(call, row, *first);
        Body stores;
        store(call, row, stores);
        for (Statement& s : stores) emit(std::move(s));
    });
    standing_ = nullptr;
    if (first) {
        // Most groups do not hold the position: one test for all lanes.
        const ExprRef x = name(cell_[0]), position = context_.scalar(first->position);
        where = both(where, both(binary("<=", x, position), binary("<", position, add(x, integer(width_)))));
    }
    emit_if(where, std::move(slice));
}

void GroupWriter::write() {
    Body stores;
    const auto each = [&](auto write) {
        for (int row = 0; row < stored_rows_; ++row) {
            for (std::size_t k = 0; k < context_.plan.calls.size(); ++k) {
                if (context_.plan.calls[k].stored) write(k, row, is_slice(context_.plan.calls[k]));
            }
        }
    };
    each([&](std::size_t k, int row, bool slice) {
        if (!slice) store(k, row, stores);
    });
    each([&](std::size_t k, int row, bool slice) {
        if (slice) store_slice(k, row);
    });
    for (Statement& s : stores) emit(std::move(s));
}

}  // namespace kasc::kernel
