#pragma once
// How whoever gives and takes a field has the words of its cells.

#include <cstdint>

namespace kasc {

/// structures: those of a cell beside each other, u[y][x][word], one dataset u.
/// arrays: each word an array of its own, u[word][y][x], a dataset each: u_x, u_y, u_z.
enum class CellLayout : std::uint8_t { structures, arrays };

}  // namespace kasc
