// The CPU's walk: groups of as many numbers as there are lanes, one after the other; of a group the pieces that lie in
// one row each, whose cells are a loop that a compiler vectorises:
//
//   numbers 100 … 355 of rows of 160 cells      row 0: x = 100 … 159, lanes 0 … 59
//                                               row 1: x = 0 … 159, lanes 60 … 219
//                                               row 2: x = 0 … 35, lanes 220 … 255
//
// A flat fold has one row. Where results lie side by side, they are the loop, and lanes the one around it.
#include <fmt/format.h>

#include "lower/field/fold.hpp"

namespace kasc::kernel {

namespace {

class RowFold {
public:
    explicit RowFold(FieldContext& context) : f_(context), c_(context) {}

    Walked run() {
        Walked walked;
        const bool lanes_first = f_.lane_dimension == Dimension::x;
        const int results = f_.threads.results;
        walked.block = {lanes_first ? f_.fold.lanes : results, lanes_first ? results : f_.fold.lanes, 1};
        walked.grid = f_.grid();
        Body folding;
        Body nothing;
        for (const FoldedCall& f : f_.folds)
            nothing.push_back({Assign{FoldFrame::accumulator(f, linear_thread()), FoldFrame::nothing(f)}});
        folding.push_back({Threads{std::move(nothing)}});
        const ExprRef group = name(c_.once("number in part", "at"));
        Body each;
        if (f_.flat || f_.folded.size() == 1)
            whole(each, group);
        else
            rows(each, group);
        folding.push_back({For{text_of(group), integer(0), f_.count(), f_.fold.lanes, 0, std::move(each)}});
        walked.body = f_.block(std::move(folding), [&](const ExprRef& bound, const FoldFrame::OfThread& body) {
            return lanes_below(bound, body);
        });
        walked.along = f_.blocks_along();
        return walked;
    }

private:
    FoldFrame f_;
    FieldContext& c_;

    [[nodiscard]] std::string along(std::size_t k) { return c_.coordinate(f_.folded[k]); }

    /// Loops over the lanes from `origin` on that are in [low, high), and over the results.
    Statement loops(const std::string& lane, const ExprRef& origin, const ExprRef& low, const ExprRef& high,
                    const FoldFrame::OfThread& body) {
        CellAxis lanes{lane, origin, f_.lane_dimension, f_.fold.lanes, 1, low, high};
        const ExprRef own_lane = subtract(name(lane), origin);
        if (f_.kept.empty()) return {Cells{{lanes}, body(own_lane)}};
        CellAxis results{f_.result(), f_.first_result(), f_.result_dimension, f_.threads.results,
                         1,           integer(0),        f_.result_extent()};
        const ExprRef own_result = subtract(name(f_.result()), f_.first_result());
        const bool lanes_first = f_.lane_dimension == Dimension::x;
        const ExprRef thread = lanes_first ? add(multiply(own_result, integer(f_.fold.lanes)), own_lane)
                                           : add(multiply(own_lane, integer(f_.threads.results)), own_result);
        if (lanes_first) return {Cells{{lanes, results}, body(thread)}};
        return {Cells{{results, lanes}, body(thread)}};
    }
    Statement lanes_below(const ExprRef& bound, const FoldFrame::OfThread& body) {
        return loops(c_.once("number of a joined lane", "lane"), integer(0), integer(0), bound, body);
    }
    /// The cells of a group from `origin` on, along one axis of this name, of which those in [low, high) are.
    Statement cells(const std::string& lane, const ExprRef& origin, const ExprRef& low, const ExprRef& high,
                    const ExprRef& number) {
        return loops(lane, origin, low, high, [&](const ExprRef& thread) {
            return f_.join_cell(
                FoldFrame::CellPath::tested, [&](const FoldedCall& f) { return FoldFrame::accumulator(f, thread); },
                number);
        });
    }

    /// One row: the number in the part, or the only folded axis.
    void whole(Body& body, const ExprRef& group) {
        if (f_.flat) {
            const ExprRef lane = name(c_.once("number of a lane", "in_part"));
            body.push_back(cells(text_of(lane), group, integer(0), f_.count(), add(f_.first(), lane)));
            return;
        }
        const std::string from = c_.once("group from", along(0) + "_from"), to = c_.once("part to", along(0) + "_to");
        body.push_back({Let{Type::i32, from, add(convert(Type::i32, f_.first()), group)}});
        body.push_back({Let{Type::i32, to, add(convert(Type::i32, f_.first()), f_.count())}});
        body.push_back(cells(along(0), name(from), integer(0), name(to), nullptr));
    }

    void rows(Body& body, const ExprRef& group) {
        const auto let = [&](Body& into, Type type, const char* key, const std::string& wish, const ExprRef& value) {
            into.push_back({Let{type, c_.once(key, wish), value}});
            return name(c_.once(key, wish));
        };
        const ExprRef nx = c_.extent(f_.folded[0]);
        const ExprRef from = let(body, Type::i64, "group from", "from", add(f_.first(), group));
        const ExprRef left = subtract(f_.count(), group), lanes = integer(f_.fold.lanes);
        const ExprRef to =
            let(body, Type::i64, "group to", "to", add(from, select(binary("<", left, lanes), left, lanes)));
        const ExprRef first_row = let(body, Type::i64, "first row", "first_row", divide(from, nx));
        const ExprRef rows =
            let(body, Type::i32, "rows", "rows",
                convert(Type::i32, add(subtract(divide(subtract(to, integer(1)), nx), first_row), integer(1))));
        const std::string piece = c_.once("piece", "piece");
        Body each;
        ExprRef row = let(each, Type::i64, "row", "row", add(first_row, name(piece)));
        const ExprRef start = let(each, Type::i64, "start of row", "row_from", multiply(row, nx));
        for (std::size_t k = 1; k < f_.folded.size(); ++k) {
            const bool last = k + 1 == f_.folded.size();
            const ExprRef extent = c_.extent(f_.folded[k]);
            each.push_back({Let{Type::i32, along(k), convert(Type::i32, last ? row : modulo(row, extent))}});
            row = divide(row, extent);
        }
        // Lanes before the row's first cell lie in the row before it.
        const ExprRef origin =
            let(each, Type::i32, "lane 0", along(0) + "_from", convert(Type::i32, subtract(from, start)));
        const ExprRef beyond = subtract(to, start);
        const ExprRef end = let(each, Type::i32, "end of piece", along(0) + "_to",
                                convert(Type::i32, select(binary("<", beyond, nx), beyond, nx)));
        each.push_back(cells(along(0), origin, integer(0), end, nullptr));
        body.push_back({For{piece, integer(0), rows, 1, 0, std::move(each)}});
    }
};

}  // namespace

Walked walk_fold_rows(FieldContext& context) { return RowFold(context).run(); }

}  // namespace kasc::kernel
