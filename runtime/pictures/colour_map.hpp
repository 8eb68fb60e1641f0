#pragma once
// The colours of a picture.

#include <cstdint>

namespace kasc::runtime {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Colour&) const = default;
};

enum class ColourMap {
    heat,     ///< from dark to bright in even steps of lightness: equal differences look equal, a print in grey keeps
              ///< order
    balance,  ///< blue below the middle, white at it, red above: for values of both signs
    grey,
};

/// A map has colour_steps + 1 colours: with shades of letters as many as a PNG of indices can list, which is a third as
/// large as one of reds, greens and blues. Even, so that the middle is one of them.
constexpr int colour_steps = 200;

/// `share` from 0 (lowest) to 1 (highest); beyond it is clamped.
[[nodiscard]] Colour colour_of(ColourMap map, double share);

}  // namespace kasc::runtime
