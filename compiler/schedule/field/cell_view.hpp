#pragma once
// Which cells a path through a field kernel is for, and how its reads step.

#include <compare>
#include <cstddef>

namespace kasc {

/// interior: steps add up. edge: each coordinate is mapped by the boundary of the value that is read. row: in the
/// interior along the first axis, but not along the others, so that neighbouring cells read neighbouring words. ends:
/// in the interior along all axes but the first.
enum class Path { interior, row, ends, edge };

struct CellView {
    Path path = Path::interior;
    int rows = 1;        ///< cells of the thread along the second axis
    bool group = false;  ///< of cells along the first axis
    bool rim = false;    ///< groups compute layers that calls keep along the first axis, whatever lies beyond it
    /// What some path may need: of layers that a call keeps, the former value wherever the kernel computes it.
    bool any_path = false;
    /// What groups compute beside their cells they compute at them too: words beyond the end of a row are made of
    /// those.
    bool own_rows = false;

    auto operator<=>(const CellView&) const = default;
    /// Coordinates along the axis are mapped by boundaries.
    [[nodiscard]] bool maps(std::size_t axis) const {
        return path == Path::edge || (path == Path::row && axis > 0) || (path == Path::ends && axis == 0);
    }
};

}  // namespace kasc
