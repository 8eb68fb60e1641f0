#pragma once
// The colours of a picture: from dark to bright in even steps of lightness, so that equal differences look equal and a
// print in grey keeps the order.

#include <cstdint>

namespace kasc::runtime {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Colour&) const = default;
};

/// `share` from 0 (lowest) to 1 (highest); beyond it is clamped.
[[nodiscard]] Colour heat_colour(double share);

}  // namespace kasc::runtime
