#pragma once
// What pictures of fields and of traces have in common: a rectangle with round numbers beside it.

#include <string>

#include "runtime/pictures/page.hpp"
#include "runtime/pictures/ticks.hpp"

namespace kasc::runtime {

/// An axis of a picture: entry i stands at i * step of the unit. Without a unit, entries are counted.
struct PictureAxis {
    std::string name;
    double step = 1;
    std::string unit{};
};
/// Where an entry stands, in the prefix that suits lengths up to `largest` of the axis' unit: "23.5 mm", "47".
[[nodiscard]] std::string place_text(const PictureAxis& axis, std::uint64_t entry, double largest);

inline constexpr Colour paper{255, 255, 255}, ink{38, 38, 38}, faint{90, 90, 90}, no_value{128, 128, 128};
inline constexpr int picture_margin = 14;

/// What runs along a side: from `low` at the left or top to `high` at the right or bottom (or the other way round).
struct Side {
    std::string name;  ///< with the unit: "x, mm"
    double low = 0, high = 1;
    Ticks ticks;
    /// `pixels`: the length of the side, on which the numbers must find room. `largest`: of the lengths in the same
    /// unit beside it, all of which have one prefix.
    [[nodiscard]] static Side across(const PictureAxis& axis, double first, double last, int pixels,
                                     double largest = 0);
    [[nodiscard]] static Side down(const PictureAxis& axis, double first, double last, int pixels, double largest = 0);
    /// Values, from above to below.
    [[nodiscard]] static Side of_values(const std::string& unit, double top, double bottom, int pixels);
    /// Width of the widest number.
    [[nodiscard]] int label_width() const;
    /// Where a number stands, in pixels along the side.
    [[nodiscard]] int place(double value, int pixels) const;
};

void draw_outline(Page& page, const Frame& frame);
/// Space that the numbers and the name at the left take beside the frame.
[[nodiscard]] int left_of_frame(const Side& side);
/// The same at the right.
[[nodiscard]] int right_of_frame(const Side& side);
inline constexpr int below_frame = 8 + 2 * text_height;
void label_below(Page& page, const Frame& frame, const Side& side);
void label_left(Page& page, const Frame& frame, const Side& side);
void label_right(Page& page, const Frame& frame, const Side& side);

}  // namespace kasc::runtime
