// Threads of a block take the cells of its part in turn, each its own lane, four loads ahead of their sums:
//
//   for (at = lane; at < count; at += 256)      the cell's number is first + at
//       sum = sum + (double)u[first + at]
//
// Where the expression asks where the cell stands, its coordinates are carried along: 256 numbers further are so many
// cells along x, so many rows and so many planes, each with a carry of one at most. No division but at the beginning.
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
        Body each;
        if (f_.flat) each.push_back({Let{Type::i64, text_of(number_), add(f_.first(), at_)}});
        if (!f_.flat && !carries())
            each.push_back({Let{Type::i32, along(0), add(convert(Type::i32, f_.first()), at_)}});
        const auto sum = [](const FoldedCall& f) { return name(f.sum); };
        for (Statement& s : f_.join_cell(sum, number_)) each.push_back(std::move(s));
        if (carries()) advance(each);
        const ExprRef lane = thread_index(f_.lane_dimension);
        folding.push_back({For{text_of(at_), lane, f_.count(), f_.fold.lanes, loads_ahead, std::move(each)}});

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
