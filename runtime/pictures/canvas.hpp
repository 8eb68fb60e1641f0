#pragma once
// An RGB picture in memory and on disk.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/pictures/colour_map.hpp"

namespace kasc::runtime {

class Canvas {
public:
    Canvas(int width, int height, Colour background);

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] Colour at(int x, int y) const;
    /// Beyond the edges nothing is drawn.
    void set(int x, int y, Colour colour);
    void fill(int x, int y, int width, int height, Colour colour);
    /// Top left corner at x, y; letters of 12 by 16 pixels.
    void text(int x, int y, std::string_view line, Colour colour);
    [[nodiscard]] static int text_width(std::string_view line);
    static constexpr int text_height = 16;

    /// As PNG, whole or not at all; the same picture gives the same bytes. K0720, K0721.
    [[nodiscard]] Diagnostics write_png(const std::string& path) const;

private:
    /// Each pixel's place in a list of the colours.
    struct Indices {
        std::vector<Colour> colours;
        std::vector<std::uint8_t> pixels;
    };
    /// Nothing where there are more colours than a PNG can list.
    [[nodiscard]] std::optional<Indices> indices() const;

    int width_, height_;
    std::vector<Colour> pixels_;  ///< row by row from the top
};

}  // namespace kasc::runtime
