#pragma once
// Boxes of arrays whose first axis is contiguous in memory.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace kasc::command {

/// Along one axis: so many cells, from `from` on in one array and from `to` on in another.
struct AxisRun {
    long long from = 0, to = 0, cells = 0;
};
/// Along each axis, runs that follow each other.
using BoxRuns = std::vector<std::vector<AxisRun>>;

/// From one cell to the next along each axis of an array.
[[nodiscard]] std::vector<long long> strides_of(const std::vector<long long>& lengths);

/// Calls `visit(from, to, cells)` with every row of the box: its first cell in the one array and in the other, and how
/// long it is.
void each_row(const BoxRuns& runs, const std::vector<long long>& from_strides, const std::vector<long long>& to_strides,
              const std::function<void(long long, long long, long long)>& visit);

}  // namespace kasc::command
