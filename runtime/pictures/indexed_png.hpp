#pragma once
// A picture as PNG that lists its colours once: a third as large as one of reds, greens and blues.

#include <optional>
#include <string>

#include "runtime/pictures/pixels.hpp"

namespace kasc::runtime {

/// The bytes of the file; the same pixels give the same bytes. Beyond 256 colours the rarer ones become the nearest of
/// the others: they are shades at the edges of letters. None: libpng has no memory.
[[nodiscard]] std::optional<std::string> indexed_png(const Pixels& pixels);

}  // namespace kasc::runtime
