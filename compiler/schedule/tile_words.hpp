#pragma once
// Words of fields in tiles in shared memory.

#include "foundation/cell_type.hpp"

namespace kasc {

/// Words of one or two bytes are copied through registers, and are floats or integers of four from there on.
[[nodiscard]] constexpr bool is_widened(CellType type) { return cell_bytes(type) < sizeof(float); }

[[nodiscard]] constexpr int tile_word_bytes(CellType type) {
    return static_cast<int>(is_widened(type) ? sizeof(float) : cell_bytes(type));
}

}  // namespace kasc
