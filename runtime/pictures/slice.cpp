// Layout: title above, numbers of the axes at the left and below, colour bar with numbers at the right.
// Example: T[x,y,z] of 96 cells a side becomes 512 by 512 pixels, each the interpolation of its four nearest cells,
// titled "T[x,y,z=47]".

#include "runtime/pictures/slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/pictures/canvas.hpp"

namespace kasc::runtime {

namespace {

constexpr int least_side = 512;  // pixels of the longer side; smaller grids are enlarged
constexpr int most_side = 2048;  // larger grids are sampled
constexpr int thinnest_side = 32;
constexpr int bar_width = 24;
constexpr int bar_room = 60;  // pixels of the bar's height that a number takes

/// The value at a point in cells (0.5 is the middle of cell 0), between the four nearest cells; where one of them is
/// not finite, the nearest cell's own.
double value_at(const Slice& slice, double x, double y) {
    const double u = std::clamp(x - 0.5, 0.0, slice.columns - 1.0);
    const double v = std::clamp(y - 0.5, 0.0, slice.rows - 1.0);
    const int left = static_cast<int>(u), top = static_cast<int>(v);
    const int right = std::min(left + 1, slice.columns - 1), bottom = std::min(top + 1, slice.rows - 1);
    const double across = u - left, down = v - top;
    const double above = slice.at(left, top) * (1 - across) + slice.at(right, top) * across;
    const double below = slice.at(left, bottom) * (1 - across) + slice.at(right, bottom) * across;
    const double value = above * (1 - down) + below * down;
    return std::isfinite(value) ? value : slice.at(across < 0.5 ? left : right, down < 0.5 ? top : bottom);
}

/// From values to colours.
struct ColourScale {
    ColourMap map;
    double low, high;

    [[nodiscard]] Colour of(double value) const {
        if (!std::isfinite(value)) return no_value;
        return colour_of(map, high > low ? (value - low) / (high - low) : 0.5);
    }
};

ColourScale scale_of(const Slice& slice, const SliceStyle& style) {
    // The values have both signs where the weaker is more than a little ringing beside the stronger.
    const bool both = std::min(-slice.lowest, slice.highest) > 0.05 * std::max(-slice.lowest, slice.highest);
    ColourScale scale{style.colours.value_or(both ? ColourMap::balance : ColourMap::heat), slice.lowest, slice.highest};
    if (scale.map == ColourMap::balance) {
        scale.high = std::max(std::abs(slice.lowest), std::abs(slice.highest));
        scale.low = -scale.high;
    }
    scale.low = style.low.value_or(scale.low);
    scale.high = style.high.value_or(scale.high);
    return scale;
}

void draw_cells(Canvas& canvas, const Slice& slice, const ColourScale& scale, const Frame& frame) {
    for (int row = 0; row < frame.height; ++row) {
        for (int column = 0; column < frame.width; ++column) {
            const double x = (column + 0.5) * slice.columns / frame.width;
            const double y = (row + 0.5) * slice.rows / frame.height;
            canvas.set(frame.x + column, frame.y + row, scale.of(value_at(slice, x, y)));
        }
    }
}

void draw_bar(Canvas& canvas, const ColourScale& scale, const Frame& bar) {
    for (int row = 0; row < bar.height; ++row) {
        canvas.fill(bar.x, bar.y + row, bar.width, 1, colour_of(scale.map, 1 - (row + 0.5) / bar.height));
    }
    draw_outline(canvas, bar);
}

/// Width and height in pixels: lengths as they are beside each other, the longer side within bounds.
std::pair<int, int> size_in_pixels(const Slice& slice, bool stretch) {
    if (stretch)
        return {std::clamp(slice.columns, least_side, most_side), std::clamp(slice.rows, least_side, most_side)};
    const double width = slice.columns * slice.across.step, height = slice.rows * slice.down.step;
    const double cells = std::max(slice.columns, slice.rows), longest = std::max(width, height);
    const double scale = std::clamp<double>(cells, least_side, most_side) / longest;
    const auto pixels = [&](double side) {
        return std::max(thinnest_side, static_cast<int>(std::lround(side * scale)));
    };
    return {pixels(width), pixels(height)};
}

Canvas draw(const Slice& slice, const SliceStyle& style) {
    const ColourScale scale = scale_of(slice, style);
    const auto [width, height] = size_in_pixels(slice, style.stretch || slice.across.unit != slice.down.unit);
    const Side across(slice.across, -0.5, slice.columns - 0.5, width, true);
    const Side down(slice.down, -0.5, slice.rows - 0.5, height, false);
    const ScaledUnit unit = with_prefix(style.unit, std::max(std::abs(scale.low), std::abs(scale.high)));
    const Side values("", scale.low * unit.factor, scale.high * unit.factor, std::max(2, height / bar_room));
    const std::string title = slice.title + (unit.text.empty() ? "" : ", " + unit.text);

    const Frame frame{left_of_frame(down), picture_margin + Canvas::text_height + 10, width, height};
    const Frame bar{frame.x + frame.width + 20, frame.y, bar_width, frame.height};
    const int right = std::max(bar.x + bar.width + 10 + values.label_width(), frame.x + Canvas::text_width(title));
    Canvas canvas(right + picture_margin, frame.y + frame.height + below_frame + picture_margin, paper);
    canvas.text(frame.x, picture_margin, title, ink);
    draw_cells(canvas, slice, scale, frame);
    draw_outline(canvas, frame);
    label_below(canvas, frame, across);
    label_left(canvas, frame, down);
    draw_bar(canvas, scale, bar);
    if (slice.any_finite) label_right(canvas, bar, values);
    return canvas;
}

}  // namespace

Diagnostics write_slice_png(const std::string& path, const ArrayView& array, const std::vector<PictureAxis>& axes,
                            const Cut& cut, const SliceStyle& style) {
    // A side must fit an int; a longer one would not be seen as a picture either.
    constexpr std::uint64_t longest_side = 1U << 30;
    const auto cells = cell_count(array.shape);
    const bool drawable = (array.shape.size() == 2 || array.shape.size() == 3) && axes.size() == array.shape.size() &&
                          cells && *cells > 0 && *cells == array.values.size() &&
                          *std::max_element(array.shape.begin(), array.shape.end()) <= longest_side;
    if (!drawable) {
        Diagnostic d;
        d.code = "K0730";
        d.message = fmt::format("'{}' of shape {} cannot be shown as a picture", array.name, to_text(array.shape));
        d.help = "a picture shows a field of two axes, or a slice of a field of three";
        return {d};
    }
    return draw(cut_slice(array, axes, cut), style).write_png(path);
}

}  // namespace kasc::runtime
