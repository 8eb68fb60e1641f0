// Which cells threads have: those of the frame between a rectangle of a plane and a smaller one within it are numbered
//
//   0 1 2 3      rows above and below it, then what is left of it and right, row by row
//   8 . . 9
//   4 5 6 7
#include "lower/pipeline/frame.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

struct Place {
    ExprRef column, row;
};

/// Where number n of the frame between two rectangles is, n from 0.
Place place_in_frame(const PlaneRectangle& inner, const PlaneRectangle& outer, const ExprRef& n) {
    // Numbers go past the inner rectangle.
    const auto passing = [](const ExprRef& at, int begin, int inside) {
        return inside > 0 ? add(at, select(binary(">=", at, integer(begin)), integer(inside), integer(0))) : at;
    };
    const int above = outer.height() - inner.height(), beside = outer.width() - inner.width();
    const Place in_rows{add(integer(outer.left), modulo(n, integer(outer.width()))),
                        passing(add(integer(outer.top), divide(n, integer(outer.width()))), inner.top, inner.height())};
    if (beside == 0) return in_rows;
    const ExprRef m = subtract(n, integer(above * outer.width()));
    const Place in_columns{passing(add(integer(outer.left), modulo(m, integer(beside))), inner.left, inner.width()),
                           add(integer(inner.top), divide(m, integer(beside)))};
    if (above == 0) return in_columns;
    const ExprRef is_in_row = binary("<", n, integer(above * outer.width()));
    return {select(is_in_row, in_rows.column, in_columns.column), select(is_in_row, in_rows.row, in_columns.row)};
}

}  // namespace

ExprRef PipelineFrame::thread_column() {
    const ExprRef by_index = multiply(thread_index(Dimension::x), integer(vector()));
    return frames_.empty() ? by_index : element(thread_column_, integer(0));
}

ExprRef PipelineFrame::thread_row() {
    const ExprRef by_index = multiply(thread_index(Dimension::y), integer(rows()));
    return frames_.empty() ? by_index : element(thread_row_, integer(0));
}

Body PipelineFrame::placed_in_frames() {
    if (frames_.empty()) return {};
    for (const std::string& array : {thread_column_, thread_row_})
        arrays_.push_back({PrivateArray{array, 1, Type::i32}});
    const ExprRef number = named("number of thread", "number");
    Place place;
    for (std::size_t k = frames_.size(); k-- > 0;) {
        const PlaneRectangle& frame = frames_[k];
        const Place here =
            k > 0 ? place_in_frame(frames_[k - 1], frame, subtract(number, integer(frames_[k - 1].count())))
                  : Place{add(integer(frame.left), modulo(number, integer(frame.width()))),
                          add(integer(frame.top), divide(number, integer(frame.width())))};
        const ExprRef is_here = binary("<", number, integer(frame.count()));
        place =
            place.row ? Place{select(is_here, here.column, place.column), select(is_here, here.row, place.row)} : here;
    }
    const auto kept = [](const ExprRef& at, int cells) {
        return math_call(whole_function::kept, {multiply(at, integer(cells))});
    };
    return {{Let{Type::i32, text_of(number), linear_thread()}},
            {Assign{thread_column(), kept(place.column, vector())}},
            {Assign{thread_row(), kept(place.row, rows())}}};
}

}  // namespace kasc::kernel
