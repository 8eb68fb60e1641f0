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

Cuts three_planes(const ArrayView& array, const std::optional<std::array<std::uint64_t, 3>>& cell) {
    std::array<std::uint64_t, 3> at{};
    std::size_t rest = cell ? 0 : strongest(array.values);
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint64_t extent = array.shape.at(2 - k);
        at.at(k) = cell ? cell->at(k) : rest % extent;
        rest /= extent;
    }
    return {{2, at[2]}, {1, at[1]}, {0, at[0]}};
}

Slice transposed(const Slice& slice) {
    Slice turned = slice;
    std::swap(turned.across, turned.down);
    std::swap(turned.columns, turned.rows);
    turned.values.clear();
    for (int column = 0; column < slice.columns; ++column) {
        for (int row = 0; row < slice.rows; ++row) turned.values.push_back(slice.at(column, row));
    }
    return turned;
}

Slice cut_slice(const ArrayView& array, const std::vector<PictureAxis>& axes, const Cut& cut) {
    const std::size_t rank = array.shape.size();
    std::vector<std::size_t> extents(array.shape.rbegin(), array.shape.rend()), strides(rank, 1);
    for (std::size_t k = 1; k < rank; ++k) strides[k] = strides[k - 1] * extents[k - 1];
    std::vector<std::size_t> left;  // axes of the picture
    const std::size_t across_cut = rank == 3 ? cut.axis.value_or(2) : rank;
    for (std::size_t k = 0; k < rank; ++k) {
        if (k != across_cut) left.push_back(k);
    }
    Slice slice;
    std::size_t first = 0;
    std::string places;
    for (std::size_t k = 0; k < rank; ++k) {
        places += (k == 0 ? "" : ",") + axes.at(k).name;
        if (k != across_cut) continue;
        const std::size_t at = cut.at ? *cut.at : strongest(array.values) / strides[k] % extents[k];
        first = at * strides[k];
        places += fmt::format("={}", at);
        slice.cut = CutPlace{axes.at(k), at, extents[k]};
    }

    slice.name = array.name;
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
