// Threads of a block take the cells of its part in turn, four at a time, whose loads are under way together. Each is of
// a lane of its own, which are joined before others' are:
//
//   for (at = thread; at < count; at += 1024)      the cells' numbers are first + at, + 256, + 512, + 768
//       sum[k] = sum[k] + (double)u[first + at + 256 k]
//
// Threads of results that lie side by side have one lane each, and four of its cells.
//
// Where the expression asks where the cell stands, its coordinates are carried along: 256 numbers further are so many
// cells along x, so many rows and so many planes, each with a carry of one at most. No division but at the beginning.
//
// Where cells at the edge have a path of their own, no load passes its branch: four cells are looked at before any is
// read, and all four take the one path or the other. Nor does a load pass a store to its array: where cells are stored
// over what was read of them, four are read before the first is stored.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "lower/field/counted_places.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/loads_first.hpp"

namespace kasc::kernel {

namespace {

/// Those of cells that read what they overwrite, and no other.
std::set<std::string> arrays_stored_over(FieldContext& context) {
    std::set<std::string> arrays;
    for (const Overwrite& overwrite : context.schedule.work->overwrites)
        if (overwrite.verdict) arrays.insert(context.array_in(overwrite.former));
    return arrays;
}

std::set<std::string> arrays_read(FieldContext& context) {
    std::set<std::string> arrays;
    for (const ValueAt& load : context.schedule.work->loads) arrays.insert(context.array_in(load.value));
    return arrays;
}

class ThreadFold {
public:
    explicit ThreadFold(FieldContext& context) : f_(context), c_(context) {}

    Walked run() {
        Walked walked = f_.walked();
        Body folding;
        if (carries()) places_.steps(folding);
        folding.push_back({Threads{thread()}});
        walked.body = f_.block(std::move(folding));
        walked.along = f_.blocks_along();
        return walked;
    }

private:
    FoldFrame f_;
    FieldContext& c_;
    const FoldThreads threads_ = f_.threads;
    const int ahead_ = cells_ahead(*c_.schedule.work);
    const int group_ = cells_of_group(f_.fold, c_.schedule.choice, *c_.schedule.work);
    const int groups_ = groups_ahead(f_.fold, c_.schedule.choice, *c_.schedule.work);
    const ExprRef at_ = name(c_.once("number in part", "at"));
    const ExprRef number_ = name(c_.once("number", "number"));

    CountedPlaces places_{c_, f_.folded, threads_.threads};
    const std::set<std::string> read_first_ =
        reads_cells_first(f_.fold, c_.schedule.choice, *c_.schedule.work) ? arrays_read(c_) : arrays_stored_over(c_);

    /// Coordinates are needed, of more than one axis; else the number is the place.
    [[nodiscard]] bool carries() const { return !f_.flat && f_.folded.size() > 1; }
    [[nodiscard]] std::string along(std::size_t k) { return places_.along(k); }

    [[nodiscard]] Body thread() {
        Body folding;
        const ExprRef lane = f_.lane();
        if (threads_.parts > 1) append(folding, f_.numbers_of_part());
        if (carries()) places_.begin(folding, kernel::add(f_.first(), lane));
        if (takes_groups()) {
            ExprRef from = lane;
            if (groups_ > 1) from = kernel::add(lane, whole_groups(folding));
            folding.push_back({For{text_of(at_), from, f_.count(), group_ * threads_.threads, unrolled(), group()}});
        } else {
            Body each = cell(FoldFrame::CellPath::tested, at_, nullptr);
            folding.push_back({For{text_of(at_), lane, f_.count(), threads_.threads, unrolled(), std::move(each)}});
        }

        Body body = f_.own_result();
        for (const FoldedCall& f : f_.folds) begin_lanes(body, f);
        append_if(body, f_.is_result(), std::move(folding));
        for (const FoldedCall& f : f_.folds) {
            append(body, FoldFrame::joined_halves(f, f.sum, threads_.lanes_each));
            body.push_back({Assign{f_.lane_result(f), lane_of(f, integer(0))}});
        }
        return body;
    }

    /// Lanes of the thread, or cells whose edges are looked at before they are read. What is flat has its edges along
    /// other axes: all of its cells take one path.
    [[nodiscard]] bool takes_groups() const {
        return group_ > 1 && (threads_.lanes_each > 1 || looks() || !read_first_.empty());
    }
    [[nodiscard]] bool looks() const { return c_.schedule.work->edges && !f_.flat; }

    /// Eight cells are under way where no lane needs a register more: of a row two groups (two matrices, each times a
    /// vector, 3020 GB/s in place of 2820 on an H100), of a column eight of one lane (lower/field/lower.cpp).
    [[nodiscard]] int unrolled() const {
        if (ahead_ == 1) return takes_groups() ? 0 : 1;
        if (threads_.lanes_each == 1) return takes_groups() ? 0 : 2 * ahead_;
        return !looks() && !f_.kept.empty() && !f_.fold.side_by_side ? 2 : 0;
    }

    /// Several groups at a time, as far as there are so many; the first number behind these.
    [[nodiscard]] ExprRef whole_groups(Body& folding) {
        const int numbers = groups_ * group_ * threads_.threads;
        const ExprRef whole = name(c_.once("numbers of whole groups", "whole"));
        const ExprRef u = name(c_.once("cell of group", "ahead"));
        folding.push_back(
            {Let{Type::i32, text_of(whole), multiply(divide(f_.count(), integer(numbers)), integer(numbers))}});
        const ExprRef at = kernel::add(at_, multiply(u, integer(threads_.threads)));
        Body cells = cell(FoldFrame::CellPath::tested, at, modulo(u, integer(threads_.lanes_each)));
        folding.push_back(
            {For{text_of(at_), f_.lane(), whole, numbers, 0, read_first(std::move(cells), groups_ * group_)}});
        return whole;
    }

    /// So many cells, one behind the other, of which what may not wait is read before any is folded.
    [[nodiscard]] Body read_first(Body cell, int cells) {
        const ExprRef u = name(c_.once("cell of group", "ahead"));
        if (read_first_.empty()) return {each_of(u, cells, cells, std::move(cell))};
        LoadsFirst parts = loads_first(c_, cell, read_first_, u, cells);
        Body all = std::move(parts.arrays);
        append(all, gone_through(std::move(parts.loads), cells));
        all.push_back(each_of(u, cells, cells, std::move(parts.cell)));
        return all;
    }

    void begin_lanes(Body& body, const FoldedCall& f) const {
        if (threads_.lanes_each == 1) {
            body.push_back({Variable{f.type, f.sum, FoldFrame::nothing(f)}});
            return;
        }
        body.push_back({RegisterArray{f.sum, threads_.lanes_each, f.type}});
        for (int k = 0; k < threads_.lanes_each; ++k)
            body.push_back({Assign{lane_of(f, integer(k)), FoldFrame::nothing(f)}});
    }
    /// One of the thread's lanes.
    [[nodiscard]] ExprRef lane_of(const FoldedCall& f, const ExprRef& k) const {
        return threads_.lanes_each == 1 ? name(f.sum) : element(f.sum, k);
    }

    /// The cell of this number in the part, of the thread's k-th lane; then the coordinates are those of the next.
    [[nodiscard]] Body cell(FoldFrame::CellPath path, const ExprRef& at, const ExprRef& k) {
        Body body;
        if (f_.flat) body.push_back({Let{Type::i64, text_of(number_), add(f_.first(), at)}});
        if (!f_.flat && !carries()) body.push_back({Let{Type::i32, along(0), add(convert(Type::i32, f_.first()), at)}});
        append(body, f_.join_cell(
                         path, [&](const FoldedCall& f) { return lane_of(f, k); }, number_));
        if (carries()) places_.advance(body);
        return body;
    }

    /// Several cells, one behind the other: are there so many, and is each in the interior?
    [[nodiscard]] Body group() {
        const ExprRef u = name(c_.once("cell of group", "ahead"));
        const ExprRef at = add(at_, multiply(u, integer(threads_.threads)));
        const ExprRef last = add(at_, integer(std::int64_t{group_ - 1} * threads_.threads));
        const auto each = [&](int unrolled, Body body) { return each_of(u, group_, unrolled, std::move(body)); };
        Body body;
        // One after the other, in code for one: the lane that is folded is always the first.
        const auto in_turn = [&](FoldFrame::CellPath path) {
            Body some{{If{binary("<", at, f_.count()), cell(path, at, integer(0)), {}}}};
            for (const FoldedCall& f : f_.folds) append(some, moved(f, 1));
            return each(1, std::move(some));
        };
        if (ahead_ == 1) {
            body.push_back(in_turn(FoldFrame::CellPath::tested));
            return body;
        }
        const ExprRef all_there = binary("<", last, f_.count());
        const auto together = [&](FoldFrame::CellPath path) { return read_first(cell(path, at, u), group_); };
        for (std::size_t k = 0; k < f_.folded.size() && comes_back(); ++k)
            body.push_back({Let{Type::i32, group_place(k), name(along(k))}});
        if (!looks()) {
            const FoldFrame::CellPath path = FoldFrame::CellPath::tested;
            body.push_back({If{all_there, together(path), {in_turn(path)}}});
            return body;
        }
        // Cells at the edge, some of each row, are read by two: their warp waits for them, and has registers for no
        // more.
        const ExprRef inside = look(body, all_there, at);
        const ExprRef half = name(c_.once("half of group", "half"));
        Body two{each_of(
            u, 2, 2,
            cell(FoldFrame::CellPath::any, add(at, multiply(half, integer(std::int64_t{2} * threads_.threads))), u))};
        for (const FoldedCall& f : f_.folds) append(two, moved(f, 2));
        Body others{
            {If{all_there, {each_of(half, group_ / 2, 1, std::move(two))}, {in_turn(FoldFrame::CellPath::any)}}}};
        body.push_back(
            {If{binary("!=", inside, integer(0)), together(FoldFrame::CellPath::interior), std::move(others)}});
        return body;
    }

    [[nodiscard]] static Statement each_of(const ExprRef& variable, int count, int unrolled, Body body) {
        return {For{text_of(variable), integer(0), integer(count), 1, unrolled, std::move(body)}};
    }

    [[nodiscard]] Body moved(const FoldedCall& f, int by) const {
        return threads_.lanes_each == 1 ? Body() : FoldFrame::lanes_moved(f, threads_.lanes_each, by);
    }

    /// Whether all of them are there and in the interior.
    [[nodiscard]] ExprRef look(Body& body, const ExprRef& all, const ExprRef& at) {
        const ExprRef inside = name(c_.once("group in interior", "inside"));
        body.push_back({Variable{Type::i32, text_of(inside), select(all, integer(1), integer(0))}});
        Body each;
        const FieldWork& work = *c_.schedule.work;
        const bool along_it = work.interior_low[f_.folded[0]] > 0 || work.interior_high[f_.folded[0]] > 0;
        if (!carries() && along_it) each.push_back({Let{Type::i32, along(0), add(convert(Type::i32, f_.first()), at)}});
        each.push_back({Assign{inside, select(in_interior(c_, 0, c_.rank()), inside, integer(0))}});
        append(body, gone_through(std::move(each), group_));
        return inside;
    }

    /// The group's coordinates before its cells, where these are gone through more than once.
    [[nodiscard]] bool comes_back() const { return carries() && (looks() || !read_first_.empty()); }
    [[nodiscard]] std::string group_place(std::size_t k) {
        return c_.once(fmt::format("group from {}", k), along(k) + "_from");
    }
    /// Each cell of the group, and back to the first.
    [[nodiscard]] Body gone_through(Body cell, int cells) {
        if (carries()) places_.advance(cell);
        const std::string u = c_.once("cell of group", "ahead");
        Body body{each_of(name(u), cells, cells, std::move(cell))};
        for (std::size_t k = 0; k < f_.folded.size() && carries(); ++k)
            body.push_back({Assign{name(along(k)), name(group_place(k))}});
        return body;
    }
};

}  // namespace

Walked walk_fold(FieldContext& context) { return ThreadFold(context).run(); }

}  // namespace kasc::kernel
