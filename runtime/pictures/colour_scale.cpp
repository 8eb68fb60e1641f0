#include "runtime/pictures/colour_scale.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/pictures/frame.hpp"

namespace kasc::runtime {

Colour ColourScale::of(double value) const {
    if (!std::isfinite(value)) return no_value;
    return colour_of(map, high > low ? (value - low) / (high - low) : 0.5);
}

ColourScale colour_scale(double lowest, double highest, const ColourWish& wish) {
    // The values have both signs where the weaker is more than a little ringing beside the stronger.
    const bool both = std::min(-lowest, highest) > 0.05 * std::max(-lowest, highest);
    ColourScale scale{wish.colours.value_or(both ? ColourMap::balance : ColourMap::heat), lowest, highest};
    if (scale.map == ColourMap::balance) {
        scale.high = std::max(std::abs(lowest), std::abs(highest));
        scale.low = -scale.high;
    }
    scale.low = wish.low.value_or(scale.low);
    scale.high = wish.high.value_or(scale.high);
    return scale;
}

}  // namespace kasc::runtime
