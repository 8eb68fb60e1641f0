#pragma once
// A picture of pixels.

#include <vector>

#include "runtime/pictures/colour_map.hpp"

namespace kasc::runtime {

struct Pixels {
    int width = 0, height = 0;
    std::vector<Colour> colours{};  ///< row by row from the top

    [[nodiscard]] Colour at(int x, int y) const {
        return colours.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};
static_assert(sizeof(Colour) == 3, "a row of colours is a row of PNG's and of a movie's RGB bytes");

}  // namespace kasc::runtime
