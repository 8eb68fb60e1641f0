// What a group stores: whole groups, lanes where some cells keep their value, slices.
#include "lower/field/group.hpp"

namespace kasc::kernel {

ExprRef GroupWriter::target_index(const CellStore& store) {
    const FieldCall& call = context_.plan.calls[store.call];
    return add(base_index(call.value, call.target), row_words(call.value, call.target, store.row));
}

/// Entries of a list, lane by lane. What they add is computed whether they add it or not.
void GroupWriter::store_listed(const CellValue& value) {
    const FieldCall& c = call_of(value);
    const ExprRef v = lane_name();
    const Lane lane{v, 0};
    Body each;
    ListedCell cell;
    AddedEntry entry;
    (void)in_lane(each, width_, [&] {
        const ExpressionSources of_lane = sources(value, lane);
        cell = listed_cell(
            c, of_lane, [&](std::size_t axis) { return coordinate(axis, program_.at(value), lane); },
            [&](const std::string& n, const ExprRef& position) { return lane_let(Type::i32, n, position); });
        entry = added_entry(*c.statement, of_lane);
        return entry.value;
    });
    const ExprRef where = both(both(cell.where, assigned_where(value, lane)), entry.where);
    each.push_back({If{where, {{Assign{listed_word(c, cell.coordinates), entry.value, true}}}, {}}});
    emit({For{context_.once("lane", "v"), integer(0), integer(width_), 1, -1, std::move(each)}});
}

void GroupWriter::store(const CellStore& what, Body& stores) {
    const CellValue& value = program_.values[what.value];
    const FieldCall& c = call_of(value);
    if (is_computed(c.target)) return store_listed(value);
    const ExprRef index = target_index(what);
    const std::string array = context_.array_out(c.value);
    const ExprRef first = value_row(value, {integer(0), 0});
    const auto& word = std::get<Element>(first->node);
    const Statement group = width_ == 1 ? Statement{Assign{element(array, index), first}}
                                        : Statement{StoreVector{array, index, word.array, word.index, width_}};
    const int margin = context_.schedule.work->margin;
    Body all{group};
    if (!context_.schedule.work->edges && margin % width_ != 0) {
        const ExprRef x = name(cell_[0]), v = lane_name(), extent = context_.extent(std::size_t{0});
        const ExprRef whole =
            both(binary(">=", x, integer(margin)), binary("<=", x, subtract(extent, integer(margin + width_))));
        const ExprRef cell = within(add(x, v), margin, margin, extent);
        const Statement one{Assign{element(array, add(index, v)), value_row(value, {v, 0})}};
        const Statement each{
            For{context_.once("lane", "v"), integer(0), integer(width_), 1, -1, {{If{cell, {one}, {}}}}}};
        all = {{If{whole, {group}, {each}}}};
    }
    const ExprRef kept = c.merges ? nullptr : assigned_where(value, {integer(0), 0});
    if (kept) all = {{If{kept, std::move(all), {}}}};
    append(stores, std::move(all));
}

/// A slice at one position of the first axis: the lane that stands there.
void GroupWriter::store_slice_cell(const CellStore& what, const FixedAxis& first) {
    const CellValue& value = program_.values[what.value];
    const FieldCall& c = call_of(value);
    const ExprRef v = lane_name();
    const ExprRef index = target_index(what);
    Body each;
    const ExprRef own = in_lane(each, width_, [&] {
        return lower_value(*c.statement, context_.cell_type(c.value), sources(value, {v, 0}));
    });
    ExprRef where = equals(add(name(cell_[0]), v), context_.scalar(first.position));
    where = both(both(where, outside_rim(c, {v, 0})), assigned_where(value, {v, 0}));
    const ExprRef word = moves_along(c.target, 0) ? add(index, v) : index;
    const Statement assign{Assign{element(context_.array_out(c.value), word), own}};
    each.push_back({If{where, {assign}, {}}});
    emit({For{context_.once("lane", "v"), integer(0), integer(width_), 1, -1, std::move(each)}});
}

void GroupWriter::store_slice(const CellStore& what) {
    const CellValue& value = program_.values[what.value];
    const FieldCall& c = call_of(value);
    ExprRef where;
    const FixedAxis* first = nullptr;
    for (std::size_t k = c.fixed.size(); k-- > 0;) {
        const FixedAxis& f = c.fixed[k];
        if (f.axis == 0) first = &f;
        if (f.axis != 0)
            where = both(where,
                         equals(coordinate(f.axis, program_.at(value), {integer(0), 0}), context_.scalar(f.position)));
    }
    Body slice = nested(true, [&] {
        standing_ = &c;
        if (first) return store_slice_cell(what, *first);
        Body stores;
        store(what, stores);
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
    for (const CellStore& s : program_.stores) {
        const FieldCall& call = context_.plan.calls[s.call];
        if (!call.statement->fold) is_slice(call) ? store_slice(s) : store(s, stores);
    }
    for (Statement& s : stores) emit(std::move(s));
}

void GroupWriter::fold(const FieldCall& call, Type type,
                       const std::function<Body(const ExprRef& lane, const ExprRef& word)>& join) {
    const CellValue& value = value_stored_by(program_, call);
    const ExprRef v = lane_name();
    Body each;
    const ExprRef word = in_lane(each, width_, [&] {
        return folded_value(*call.statement, type, sources(value, {v, 0}));
    });
    append(each, join(v, word));
    emit({For{context_.once("lane", "v"), integer(0), integer(width_), 1, -1, std::move(each)}});
}

}  // namespace kasc::kernel
