// Cells of a thread are 32 apart, or as far as its team has threads. What it reads of them is under way together, in
// registers before anything is computed. Where the line's end cuts a part, or a line is shorter than its threads can
// hold, some cells do not count: they are not read, or read what the part's first cell reads, and are neither folded
// nor stored.
#include "lower/line/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"

namespace kasc::kernel {

std::vector<FoldedCall> LineCells::folds_of_pass(bool across) {
    std::vector<FoldedCall> folds = folded_calls(c());
    std::erase_if(folds, [&](const FoldedCall& f) {
        return across != (work_.across && holds(work_.across->values, f.call->value));
    });
    return folds;
}

ExprRef LineCells::row_of_lane(const ExprRef& lane) const { return multiply(lane, integer(schedule_.row_across())); }

ExprRef LineCells::first_in_row() const {
    return kernel::add(multiply(team(), integer(std::int64_t{schedule_.choice.chunk} * schedule_.lanes())), lane());
}

ExprRef LineCells::place_in_lanes() { return name(c().once("place in lanes", "in_lanes")); }

Body LineCells::cells_of_part(const LinePass& pass, const std::vector<FoldedCall>& folds) {
    Body body, inside;
    place_line(body);
    const ExprRef there = place_part(body);
    if (!folds_of_pass(true).empty()) {
        // A block that has fewer than eight lines at a time takes the lanes in turn.
        ExprRef own = line();
        const int taken = schedule_.lines_of_part();
        if (taken < column_lanes)
            own = kernel::add(multiply(modulo(turn(), integer(column_lanes / taken)), integer(taken)), own);
        inside.push_back({Let{Type::i32, text_of(place_in_lanes()), kernel::add(row_of_lane(own), first_in_row())}});
    }
    for (const FoldedCall& f : folds) {
        body.push_back({RegisterArray{f.sum, lanes_of_thread(), f.type}});
        for (int k = 0; k < lanes_of_thread(); ++k)
            body.push_back({Assign{element(f.sum, integer(k)), FoldFrame::nothing(f)}});
    }
    ExprRef first = integer(0), count = length();
    if (schedule_.teams() > 1 || !schedule_.holds_cells()) {
        first = name(c().once("first cell of part", coordinate(work_.along) + "_from"));
        inside.push_back(
            {Let{Type::i32, text_of(first), multiply(name(coordinate(work_.parts)), integer(work_.part_cells()))}});
        const ExprRef counted = name(c().once("cells of part", "count"));
        inside.push_back(
            {Let{Type::i32, text_of(counted), minimum(subtract(count, first), integer(work_.part_cells()))}});
        count = counted;
    }
    append(inside,
           schedule_.holds_cells() ? cells_held(pass, folds, first, count) : cells_in_turn(pass, folds, first, count));
    append_if(body, there, std::move(inside));
    for (const FoldedCall& f : folds) append(body, joined_lanes_of(f));
    return body;
}

int LineCells::lanes_of_thread() const {
    const int all = work_.part_lanes() / schedule_.lanes();
    int lanes = 1;
    while (lanes < all && (lanes < schedule_.choice.chunk || !schedule_.holds_cells())) lanes *= 2;
    return lanes;
}

Body LineCells::joined_lanes_of(const FoldedCall& f) {
    Body body = FoldFrame::joined_halves(f, f.sum, lanes_of_thread());
    const ExprRef own = element(f.sum, integer(0));
    if (lanes_of_thread() < work_.part_lanes() / schedule_.lanes() && !rounds(f.op) && is_real(f.type))
        body.push_back({Assign{own, FoldFrame::joined(f, own, FoldFrame::nothing(f))}});
    body.push_back({Assign{element(f.exchanged, integer(0)), own}});
    return body;
}

Body LineCells::cells_held(const LinePass& pass, const std::vector<FoldedCall>& folds, const ExprRef& first,
                           const ExprRef& count) {
    const int cells = schedule_.choice.chunk;
    std::vector<ValueId> load, read;
    for (const ValueId value : read_at_cells(work_, pass)) {
        if (!holds(again_, value))
            read.push_back(value);
        else if (!holds(loaded_, value))
            load.push_back(value);
    }
    loaded_.insert(loaded_.end(), load.begin(), load.end());
    const ExprRef group = name(c().once("group of cells", "group_of_cells"));
    const ExprRef k = name(c().once("cell of group", "ahead")), all = name(c().once("cell of thread", "k"));
    const auto path = [&](int ahead, const ExprRef& counted) {
        Body body;
        const Cells places{first, counted, lane(), !reads_elsewhere(pass)};
        if (!load.empty()) body.push_back(each(all, cells, loads(load, all, all, places, true)));
        const ExprRef number = cells == ahead ? k : kernel::add(multiply(group, integer(ahead)), k);
        for (const ValueId value : read_at_cells(work_, pass))
            if (holds(again_, value)) c().hold(value, element(held_name(value), number));
        const Group own{number, k, ahead};
        Body some = group_of(pass, folds, read, own, places);
        if (counted && cells != ahead) {
            // All but one of the groups that there are have all of their cells.
            Body whole = group_of(pass, folds, read, own, {first, nullptr, lane(), true});
            const int together = ahead * schedule_.lanes();
            const ExprRef begins = multiply(group, integer(together));
            some = {{If{binary("<", begins, counted), std::move(some), {}}}};
            some = {
                {If{binary("<=", kernel::add(begins, integer(together)), counted), std::move(whole), std::move(some)}}};
        }
        for (const ValueId value : again_) c().let_go(value);
        if (cells == ahead) {
            append(body, std::move(some));
            return body;
        }
        body.push_back(each(group, cells / ahead, std::move(some)));
        return body;
    };
    const std::int64_t held = std::int64_t{cells} * schedule_.lanes();
    // Lines of one length are all whole, or each has the same parts that are not.
    if (!schedule_.lengths.empty()) {
        const int given = schedule_.lengths.at(work_.along);
        if (given % held == 0) return path(cells_of_group(schedule_, pass), nullptr);
        if (given < held) return path(cells_of_cut_group(schedule_), count);
    }
    const ExprRef whole = binary("==", count, integer(held));
    Body counted = path(cells_of_cut_group(schedule_), count), full = path(cells_of_group(schedule_, pass), nullptr);
    return {{If{whole, std::move(full), std::move(counted)}}};
}

Body LineCells::cells_in_turn(const LinePass& pass, const std::vector<FoldedCall>& folds, const ExprRef& first,
                              const ExprRef& count) {
    const int ahead = cells_of_group(schedule_, pass);
    const ExprRef in_part = name(c().once("cells in turn", "in_part")), k = name(c().once("cell of group", "ahead"));
    const std::vector<ValueId> read = read_at_cells(work_, pass);
    // Whether all of the warp's threads have all of their cells.
    const int step = ahead * schedule_.lanes();
    const ExprRef whole = binary("<=", kernel::add(subtract(in_part, lane()), integer(step)), count);
    Body cut = group_of(pass, folds, read, {k, k, ahead}, {first, count, in_part, !reads_elsewhere(pass)});
    Body all = group_of(pass, folds, read, {k, k, ahead}, {first, nullptr, in_part, true});
    return {{For{text_of(in_part), lane(), count, step, 0, {{If{whole, std::move(all), std::move(cut)}}}}}};
}

Body LineCells::group_of(const LinePass& pass, const std::vector<FoldedCall>& folds, const std::vector<ValueId>& read,
                         const Group& group, const Cells& cells) {
    Body body;
    for (const ValueId value : read) {
        body.push_back({RegisterArray{ahead_name(value), group.cells, word_register(value)}});
        c().hold(value, element(ahead_name(value), group.place));
    }
    if (!read.empty())
        body.push_back(each(group.place, group.cells, loads(read, group.number, group.place, cells, false)));
    Body cell = place_cell(needs_place(pass, read), group.number, cells);
    CellWriter writer(c(), *pass.cells.paths.cell, coordinates(c()));
    if (!work_.further.empty()) {
        std::vector<std::size_t> axes;
        for (const AxisId axis : work_.line_axes()) axes.push_back(c().kernel_axis(axis));
        writer.walk_as_one(std::move(axes), name(coordinate(work_.along)), length());
    }
    const auto lane_of = [&](const FoldedCall& f) {
        if (work_.across && holds(work_.across->values, f.call->value))
            return element(f.lanes, kernel::add(place_in_lanes(), multiply(group.number, integer(schedule_.lanes()))));
        return element(f.sum, modulo(group.number, integer(lanes_of_thread())));
    };
    std::vector<FoldedCall> all = folds;
    for (FoldedCall& across : folds_of_pass(true)) all.push_back(std::move(across));
    const std::vector<std::pair<std::string, ExprRef>> kept = words_kept(pass, writer);
    append(cell, folded_cell(writer, all, lane_of, cells.count ? counts() : nullptr));
    for (const auto& [held, word] : kept) cell.push_back({Assign{element(held, group.number), word}});
    for (const ValueId value : read) c().let_go(value);
    body.push_back(each(group.place, group.cells, std::move(cell)));
    return body;
}

std::vector<std::pair<std::string, ExprRef>> LineCells::words_kept(const LinePass& pass, CellWriter& writer) {
    std::vector<std::pair<std::string, ExprRef>> kept;
    if (!schedule_.holds_cells()) return kept;
    for (const FieldCall& call : pass.cells.plan().calls) {
        if (!holds(pass.cells.fusion().outputs, call.value) || !holds(again_, call.value)) continue;
        kept.emplace_back(held_name(call.value), writer.result(call));
        if (!holds(loaded_, call.value)) loaded_.push_back(call.value);
    }
    return kept;
}

Statement LineCells::each(const ExprRef& k, int count, Body body) {
    return {For{text_of(k), integer(0), integer(count), 1, count, std::move(body)}};
}

ExprRef LineCells::counts() { return name(c().once("cell counts", "counts")); }

Body LineCells::place_cell(bool needed, const ExprRef& number, const Cells& cells) {
    Body body;
    const ExprRef own = kernel::add(cells.begin, multiply(number, integer(schedule_.lanes())));
    if (cells.count) body.push_back({Let{Type::boolean, text_of(counts()), binary("<", own, cells.count)}});
    const ExprRef within = cells.count && !cells.skips ? select(counts(), own, integer(0)) : own;
    if (needed) body.push_back({Let{Type::i32, coordinate(work_.along), kernel::add(cells.first, within)}});
    return body;
}

Body LineCells::loads(const std::vector<ValueId>& values, const ExprRef& number, const ExprRef& place,
                      const Cells& cells, bool held) {
    Body body = place_cell(true, number, cells), read, read_always, skipped;
    for (const ValueId value : values) {
        std::vector<ExprRef> at;
        for (const AxisId axis : c().shape(value).axes) {
            const bool counted = std::find(work_.further.begin(), work_.further.end(), axis) != work_.further.end();
            at.push_back(counted ? integer(0) : name(coordinate(axis)));
        }
        const ExprRef word = element(held ? held_name(value) : ahead_name(value), place);
        // Each thread takes its own words alone of what the kernel stores.
        const bool always = !cells.count || (!cells.skips && !holds(work_.fusion.outputs, value));
        (always ? read_always : read).push_back({Assign{word, element(c().array_in(value), c().index(value, at))}});
        if (!always) skipped.push_back({Assign{word, c().zero(value)}});
    }
    append(body, std::move(read_always));
    if (!read.empty()) body.push_back({If{counts(), std::move(read), std::move(skipped)}});
    return body;
}

bool LineCells::depends_on_place(const FieldRead& read) const {
    if (read.producer || words_.contains(read.value)) return false;
    const auto& axes = context_->plan.axes;
    const auto axis = static_cast<std::size_t>(std::find(axes.begin(), axes.end(), work_.along) - axes.begin());
    return moves_along(read.indices, axis) ||
           std::any_of(read.indices.begin(), read.indices.end(), [&](const FieldIndex& index) {
               const auto* computed = std::get_if<Computed>(&index);
               return computed != nullptr && tells_place(*computed->position);
           });
}

bool LineCells::tells_place(const Expression& value) const { return asks_for(value, work_.along); }

bool LineCells::reads_elsewhere(const LinePass& pass) const {
    const std::vector<ValueId> own = read_at_cells(work_, pass);
    const auto& calls = pass.cells.plan().calls;
    return std::any_of(calls.begin(), calls.end(), [&](const FieldCall& call) {
        return calls_library(*call.statement) ||
               std::any_of(call.reads.begin(), call.reads.end(),
                           [&](const FieldRead& r) { return depends_on_place(r) && !holds(own, r.value); });
    });
}

bool LineCells::needs_place(const LinePass& pass, const std::vector<ValueId>& read) const {
    const auto elsewhere = [&](const FieldRead& r) {
        return depends_on_place(r) && !holds(read, r.value) && !(schedule_.holds_cells() && holds(again_, r.value));
    };
    const auto& calls = pass.cells.plan().calls;
    return std::any_of(calls.begin(), calls.end(), [&](const FieldCall& call) {
        return (call.stored && !call.statement->fold) || std::any_of(call.reads.begin(), call.reads.end(), elsewhere) ||
               tells_place(*call.statement->value);
    });
}

}  // namespace kasc::kernel
