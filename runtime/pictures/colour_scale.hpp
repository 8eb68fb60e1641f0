#pragma once
// From values to colours.

#include <optional>

#include "runtime/pictures/colour_map.hpp"

namespace kasc::runtime {

struct ColourScale {
    ColourMap map = ColourMap::heat;
    double low = 0, high = 0;

    /// Grey for what is not finite.
    [[nodiscard]] Colour of(double value) const;
};

/// What is wanted of the colours.
struct ColourWish {
    std::optional<ColourMap> colours{};   ///< none: balance for values of both signs, else heat
    std::optional<double> low{}, high{};  ///< none: of the values; of balance as far from zero on either side
};
[[nodiscard]] ColourScale colour_scale(double lowest, double highest, const ColourWish& wish);

}  // namespace kasc::runtime
