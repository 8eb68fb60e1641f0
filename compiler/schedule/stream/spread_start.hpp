#pragma once

#include <string>

#include "block/block_program.hpp"

namespace kasc {

/// The start of a pattern in a tile of this pitch, as C text: "(tx*16) + (tx*16) / 16 * 1".
[[nodiscard]] std::string spread_start(const std::string& start, const TilePitch& pitch);

}  // namespace kasc
