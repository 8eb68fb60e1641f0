#pragma once
// Where a thread stands that folds cells of several axes: their coordinates are carried along from one of its cells to
// the next. So many numbers further are so many cells along the first axis, so many rows and so many planes, each with
// a carry of one at most: no division but at the beginning.

#include <fmt/format.h>

#include "lower/field/fold.hpp"

namespace kasc::kernel {

class FoldPlaces {
public:
    /// `numbers`: from one cell to the next.
    FoldPlaces(FoldFrame& frame, int numbers) : f_(frame), c_(frame.context), numbers_(numbers) {}

    /// Coordinates are needed, of more than one axis; else the number is the place.
    [[nodiscard]] bool carries() const { return !f_.flat && f_.folded.size() > 1; }
    [[nodiscard]] std::string along(std::size_t k) { return c_.coordinate(f_.folded[k]); }
    /// Block level: the way from one cell to the next, along each axis.
    void steps(Body& body);
    /// Thread level: the coordinates of the cell of this number.
    void begin(Body& body, const ExprRef& first);
    void advance(Body& body);

private:
    FoldFrame& f_;
    FieldContext& c_;
    int numbers_;

    [[nodiscard]] std::string step(std::size_t k) { return c_.once(fmt::format("step {}", k), along(k) + "_step"); }
};

}  // namespace kasc::kernel
