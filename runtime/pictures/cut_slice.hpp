#pragma once
// A plane of a field, or the whole of a field of two axes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/pictures/frame.hpp"

namespace kasc::runtime {

/// Where a field of three axes is cut.
struct Cut {
    std::optional<std::size_t> axis{};  ///< counted as a program writes them, 0 the first; none: the last
    std::optional<std::uint64_t> at{};  ///< none: where the value farthest from zero is
};

/// One plane, or three of a field of three axes: across the last, the second and the first.
using Cuts = std::vector<Cut>;
/// Through one cell, its place along each axis; none: that whose value is farthest from zero.
[[nodiscard]] Cuts three_planes(const ArrayView& array, const std::optional<std::array<std::uint64_t, 3>>& cell);

/// Where a plane was cut out of its field.
struct CutPlace {
    PictureAxis axis;
    std::uint64_t at = 0, cells = 1;  ///< of the axis
};

/// The first axis that is left runs to the right, the other downwards.
struct Slice {
    std::string name, title;  ///< of the field; with its axes and the cut
    std::optional<CutPlace> cut{};
    PictureAxis across, down;
    int columns = 0, rows = 0;
    std::vector<double> values;      ///< row by row
    double lowest = 0, highest = 0;  ///< of the finite values
    bool any_finite = false;

    [[nodiscard]] double at(int column, int row) const {
        return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)];
    }
};

/// Rows and columns exchanged.
[[nodiscard]] Slice transposed(const Slice& slice);

/// `axes` as a program writes them, one a dimension. Requires: two or three axes, sides that fit an int, a cut within.
[[nodiscard]] Slice cut_slice(const ArrayView& array, const std::vector<PictureAxis>& axes, const Cut& cut);

}  // namespace kasc::runtime
