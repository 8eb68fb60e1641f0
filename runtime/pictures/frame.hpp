#pragma once
// What pictures of slices and of traces have in common: a rectangle with round numbers beside it.

#include <string>

#include "runtime/pictures/canvas.hpp"
#include "runtime/pictures/ticks.hpp"

namespace kasc::runtime {

/// An axis of a picture: entry i stands at i * step of the unit. Without a unit, entries are counted.
struct PictureAxis {
    std::string name;
    double step = 1;
    std::string unit{};
};

inline constexpr Colour paper{255, 255, 255}, ink{38, 38, 38}, faint{110, 110, 110}, no_value{128, 128, 128};
inline constexpr int picture_margin = 16;

struct Frame {
    int x = 0, y = 0, width = 0, height = 0;
};

/// What runs along a side: from `low` at the left or top to `high` at the right or bottom (or the other way round).
struct Side {
    std::string name;
    double low = 0, high = 1;
    Ticks ticks;
    /// `pixels`: the length of the side, on which the numbers must find room.
    Side(const PictureAxis& axis, double first, double last, int pixels, bool across);
    Side(std::string name, double low, double high, int most);
    [[nodiscard]] int label_width() const;
};

void draw_outline(Canvas& canvas, const Frame& frame);
/// Space that the labels at the left take beside the frame.
[[nodiscard]] int left_of_frame(const Side& side);
inline constexpr int below_frame = 6 + 2 * (Canvas::text_height + 4);
void label_below(Canvas& canvas, const Frame& frame, const Side& side);
void label_left(Canvas& canvas, const Frame& frame, const Side& side);
/// Beside a colour bar; the highest number is at the top.
void label_right(Canvas& canvas, const Frame& frame, const Side& side);

}  // namespace kasc::runtime
