// A field [z][y][x] is cut at one index of one axis; what is left has two strides. Example: T[x,y,z] cut along y at 3
// has columns x with stride 1 and rows z with stride ny * nx, from 3 * nx on.

#include "runtime/pictures/cut_slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kasc::runtime {

namespace {

/// Index of the finite value that is farthest from zero; 0 if there is none.
std::size_t strongest(const Words& values) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double size = std::abs(values[i]);
        if (!std::isfinite(size) || size <= most) continue;
        best = i;
        most = size;
    }
    return best;
}

void find_range(Slice& slice) {
    for (const double value : slice.values) {
        if (!std::isfinite(value)) continue;
        slice.lowest = slice.any_finite ? std::min(slice.lowest, value) : value;
        slice.highest = slice.any_finite ? std::max(slice.highest, value) : value;
        slice.any_finite = true;
    }
}

}  // namespace

Slice cut_slice(const ArrayView& array, const std::vector<PictureAxis>& axes, const Cut& cut) {
    const std::size_t rank = array.shape.size();
    std::vector<std::size_t> extents(array.shape.rbegin(), array.shape.rend()), strides(rank, 1);
    for (std::size_t k = 1; k < rank; ++k) strides[k] = strides[k - 1] * extents[k - 1];
    std::vector<std::size_t> left;  // axes of the picture
    const std::size_t across_cut = rank == 3 ? cut.axis.value_or(2) : rank;
    for (std::size_t k = 0; k < rank; ++k) {
        if (k != across_cut) left.push_back(k);
    }
    std::size_t first = 0;
    std::string places;
    for (std::size_t k = 0; k < rank; ++k) {
        places += (k == 0 ? "" : ",") + axes.at(k).name;
        if (k != across_cut) continue;
        const std::size_t at = cut.at ? *cut.at : strongest(array.values) / strides[k] % extents[k];
        first = at * strides[k];
        places += fmt::format("={}", at);
    }

    Slice slice;
    slice.title = fmt::format("{}[{}]", array.name, places);
    slice.across = axes.at(left.at(0));
    slice.down = axes.at(left.at(1));
    slice.columns = static_cast<int>(extents[left[0]]);
    slice.rows = static_cast<int>(extents[left[1]]);
    for (std::size_t row = 0; row < extents[left[1]]; ++row) {
        for (std::size_t column = 0; column < extents[left[0]]; ++column)
            slice.values.push_back(array.values[first + row * strides[left[1]] + column * strides[left[0]]]);
    }
    find_range(slice);
    return slice;
}

}  // namespace kasc::runtime
