#pragma once
// Where a thread stands that counts through cells of several axes: their coordinates are carried along from one of its
// cells to the next. So many numbers further are so many cells along the first axis, so many rows and so many planes,
// each with a carry of one at most: no division but at the beginning.

#include <vector>

#include "lower/field/context.hpp"

namespace kasc::kernel {

class CountedPlaces {
public:
    /// `axes` of the kernel; `numbers`: from one cell to the next.
    CountedPlaces(FieldContext& context, std::vector<std::size_t> axes, int numbers)
        : c_(context), axes_(std::move(axes)), numbers_(numbers) {}

    [[nodiscard]] std::string along(std::size_t k) { return c_.coordinate(axes_[k]); }
    /// Block level: the way from one cell to the next, along each axis.
    void steps(Body& body);
    /// Thread level: the coordinates of the cell of this number.
    void begin(Body& body, const ExprRef& first);
    void advance(Body& body);

private:
    FieldContext& c_;
    std::vector<std::size_t> axes_;
    int numbers_;

    [[nodiscard]] std::string step(std::size_t k);
};

}  // namespace kasc::kernel
