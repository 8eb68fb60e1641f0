// Threads of a block take the cells of its part in turn, each its own lane, four loads ahead of their sums:
//
//   for (at = lane; at < count; at += 256)      the cell's number is first + at
//       sum = sum + (double)u[first + at]
//
// Where the expression asks where the cell stands, its coordinates are carried along: 256 numbers further are so many
// cells along x, so many rows and so many planes, each with a carry of one at most. No division but at the beginning.
//
// Where cells at the edge have a path of their own, no load passes its branch: four cells are looked at before any is
// read, and those that are all in the interior are read together.
#include <fmt/format.h>

#include "lower/field/fold.hpp"

namespace kasc::kernel {

namespace {

/// Loads that a thread has under way: with 2048 threads on a multiprocessor 32 kB of floats, twice what an H100 needs
/// to reach its rate of reading.
constexpr int loads_ahead = 4;

class ThreadFold {
public:
    explicit ThreadFold(FieldContext& context) : f_(context), c_(context) {}

    Walked run() {
        Walked walked;
        walked.block = {f_.lane_dimension == Dimension::x ? f_.fold.lanes : f_.results,
                        f_.lane_dimension == Dimension::x ? f_.results : f_.fold.lanes, 1};
        walked.grid = f_.grid();
        Body folding;
        if (carries()) steps(folding);
        folding.push_back({Threads{thread()}});
        walked.body = f_.block(std::move(folding));
        return walked;
    }

private:
    FoldFrame f_;
    FieldContext& c_;
    const ExprRef at_ = name(c_.once("number in part", "at"));
    const ExprRef number_ = name(c_.once("number", "number"));

    [[nodiscard]] bool carries() const { return !f_.flat && f_.folded.size() > 1; }
    [[nodiscard]] static const std::string& text_of(const ExprRef& n) { return std::get<Name>(n->node).name; }
    [[nodiscard]] std::string along(std::size_t k) { return c_.coordinate(f_.folded[k]); }
    [[nodiscard]] std::string step(std::size_t k) { return c_.once(fmt::format("step {}", k), along(k) + "_step"); }

    /// As many numbers as there are lanes, in cells along each axis.
    void steps(Body& body) {
        ExprRef left = integer(f_.fold.lanes);
        for (std::size_t k = 0; k < f_.folded.size(); ++k) {
            const bool last = k + 1 == f_.folded.size();
            const ExprRef extent = c_.extent(f_.folded[k]);
            body.push_back({Let{Type::i32, step(k), last ? left : modulo(left, extent)}});
            left = divide(left, extent);
        }
    }

    [[nodiscard]] Body thread() {
        Body folding;
        if (carries()) begin(folding);
        const ExprRef lane = thread_index(f_.lane_dimension);
        // What is flat has its edges along other axes: all of its cells take one path.
        if (c_.schedule.work->edges && !f_.flat) {
            folding.push_back({For{text_of(at_), lane, f_.count(), loads_ahead * f_.fold.lanes, 0, group()}});
        } else {
            Body each;
            if (f_.flat) each.push_back({Let{Type::i64, text_of(number_), add(f_.first(), at_)}});
            append(each, cell(FoldFrame::CellPath::tested, at_));
            folding.push_back({For{text_of(at_), lane, f_.count(), f_.fold.lanes, loads_ahead, std::move(each)}});
        }

        Body body;
        if (!f_.kept.empty()) {
            body.push_back({Let{Type::i32, f_.result(), add(f_.first_result(), thread_index(f_.result_dimension))}});
        }
        for (const FoldedCall& f : f_.folds) body.push_back({Variable{f.type, f.sum, FoldFrame::nothing(f)}});
        append_if(body, f_.kept.empty() ? nullptr : binary("<", name(f_.result()), f_.result_extent()),
                  std::move(folding));
        for (const FoldedCall& f : f_.folds) body.push_back({Assign{f_.lane_result(f), name(f.sum)}});
        return body;
    }

    static void append(Body& to, Body from) {
        for (Statement& s : from) to.push_back(std::move(s));
    }

    /// The cell of this number in the part; then the coordinates are those of the next.
    [[nodiscard]] Body cell(FoldFrame::CellPath path, const ExprRef& at) {
        Body body;
        if (!f_.flat && !carries()) body.push_back({Let{Type::i32, along(0), add(convert(Type::i32, f_.first()), at)}});
        append(body, f_.join_cell(
                         path, [](const FoldedCall& f) { return name(f.sum); }, number_));
        if (carries()) advance(body);
        return body;
    }

    /// Several cells, one behind the other: is each in the interior?
    [[nodiscard]] Body group() {
        const ExprRef inside = name(c_.once("group in interior", "inside")),
                      u = name(c_.once("cell of group", "ahead"));
        const ExprRef at = add(at_, multiply(u, integer(f_.fold.lanes)));
        const ExprRef last = add(at_, integer(std::int64_t{loads_ahead - 1} * f_.fold.lanes));
        const auto each = [&](int unrolled, Body body) {
            return Statement{For{text_of(u), integer(0), integer(loads_ahead), 1, unrolled, std::move(body)}};
        };
        const auto group_place = [&](std::size_t k) {
            return c_.once(fmt::format("group from {}", k), along(k) + "_from");
        };
        Body body;
        for (std::size_t k = 0; k < f_.folded.size() && carries(); ++k)
            body.push_back({Let{Type::i32, group_place(k), name(along(k))}});
        body.push_back(
            {Variable{Type::i32, text_of(inside), select(binary("<", last, f_.count()), integer(1), integer(0))}});
        Body look;
        const FieldWork& work = *c_.schedule.work;
        const bool along_it = work.interior_low[f_.folded[0]] > 0 || work.interior_high[f_.folded[0]] > 0;
        if (!carries() && along_it) look.push_back({Let{Type::i32, along(0), add(convert(Type::i32, f_.first()), at)}});
        look.push_back({Assign{inside, select(in_interior(c_, 0, c_.rank()), inside, integer(0))}});
        if (carries()) advance(look);
        body.push_back(each(loads_ahead, std::move(look)));
        for (std::size_t k = 0; k < f_.folded.size() && carries(); ++k)
            body.push_back({Assign{name(along(k)), name(group_place(k))}});
        Body any = cell(FoldFrame::CellPath::any, at);
        body.push_back({If{binary("!=", inside, integer(0)),
                           {each(loads_ahead, cell(FoldFrame::CellPath::interior, at))},
                           {each(1, {{If{binary("<", at, f_.count()), std::move(any), {}}}})}}});
        return body;
    }

    /// The coordinates of the lane's first cell.
    void begin(Body& body) {
        const std::string left = c_.once("numbers left", "left");
        body.push_back({Let{Type::i64, left, add(f_.first(), thread_index(f_.lane_dimension))}});
        ExprRef number = name(left);
        for (std::size_t k = 0; k < f_.folded.size(); ++k) {
            const bool last = k + 1 == f_.folded.size();
            const ExprRef extent = c_.extent(f_.folded[k]);
            body.push_back({Variable{Type::i32, along(k), convert(Type::i32, last ? number : modulo(number, extent))}});
            number = divide(number, extent);
        }
    }

    void advance(Body& body) {
        ExprRef carry = integer(0);
        for (std::size_t k = 0; k < f_.folded.size(); ++k) {
            const ExprRef x = name(along(k)), extent = c_.extent(f_.folded[k]);
            body.push_back({Assign{x, add(x, add(name(step(k)), carry))}});
            if (k + 1 == f_.folded.size()) break;
            const std::string over = c_.once(fmt::format("carry {}", k), along(k) + "_over");
            body.push_back({Let{Type::i32, over, select(binary(">=", x, extent), integer(1), integer(0))}});
            body.push_back({Assign{x, subtract(x, multiply(name(over), extent))}});
            carry = name(over);
        }
    }
};

}  // namespace

Walked walk_fold(FieldContext& context) { return ThreadFold(context).run(); }

}  // namespace kasc::kernel
