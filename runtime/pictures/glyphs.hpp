#pragma once
// Letters for the labels of pictures.

#include <array>
#include <cstdint>

namespace kasc::runtime {

constexpr int glyph_width = 5, glyph_height = 8;  ///< one row below the line for g, p, q, y

using Glyph = std::array<std::uint8_t, glyph_width>;  ///< by column; bit 0 is the top row

/// What is no printable ASCII character is shown as '?'.
[[nodiscard]] const Glyph& glyph(char letter);

}  // namespace kasc::runtime
