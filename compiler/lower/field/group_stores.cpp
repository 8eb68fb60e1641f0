// What a group stores: whole groups, lanes where some cells keep their value, slices.
#include "lower/field/group.hpp"

namespace kasc::kernel {

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
