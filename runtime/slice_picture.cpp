// Layout: title above, extents of the axes at the left and below, colour bar with five labels at the right.
// Example: T[x,y,z] of 96 cells a side becomes 512 by 512 pixels, each the interpolation of its four nearest cells,
// titled "T[x,y,z=47]".

#include "runtime/slice_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/canvas.hpp"

namespace kasc::runtime {

namespace {

constexpr Colour paper{255, 255, 255}, ink{38, 38, 38}, faint{110, 110, 110}, no_value{128, 128, 128};
constexpr int least_side = 512;  // pixels of the longer side; smaller grids are enlarged
constexpr int most_side = 2048;  // larger grids are sampled
constexpr int thinnest_side = 32;
constexpr int margin = 16;
constexpr int bar_width = 24;
constexpr int bar_labels = 5;

struct Slice {
    std::string title;
    Words values;
    int columns = 0, rows = 0;
    double lowest = 0, highest = 0;  ///< of the finite values
    bool any_finite = false;

    [[nodiscard]] double at(int column, int row) const {
        return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)];
    }
};

/// Index of the largest finite value; 0 if there is none.
std::size_t hottest(const Words& values) {
    std::size_t best = 0;
    bool found = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || (found && values[i] <= values[best])) continue;
        best = i;
        found = true;
    }
    return best;
}

Slice choose_slice(const ArrayView& array, const std::vector<std::string>& axes) {
    const std::size_t rank = array.shape.size();
    Slice slice;
    slice.columns = static_cast<int>(array.shape[rank - 1]);
    slice.rows = static_cast<int>(array.shape[rank - 2]);
    const std::size_t cells = static_cast<std::size_t>(slice.columns) * static_cast<std::size_t>(slice.rows);
    const std::size_t plane = rank == 3 ? hottest(array.values) / cells : 0;
    slice.values = array.values.subspan(plane * cells, cells);
    slice.title = rank == 3 ? fmt::format("{}[{},{},{}={}]", array.name, axes[0], axes[1], axes[2], plane)
                            : fmt::format("{}[{},{}]", array.name, axes[0], axes[1]);
    for (std::size_t k = 0; k < slice.values.size(); ++k) {
        const double value = slice.values[k];
        if (!std::isfinite(value)) continue;
        slice.lowest = slice.any_finite ? std::min(slice.lowest, value) : value;
        slice.highest = slice.any_finite ? std::max(slice.highest, value) : value;
        slice.any_finite = true;
    }
    return slice;
}

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

Colour colour_of(const Slice& slice, double value) {
    if (!std::isfinite(value)) return no_value;
    const double range = slice.highest - slice.lowest;
    return heat_colour(range > 0 ? (value - slice.lowest) / range : 0.5);
}

struct Frame {
    int x = 0, y = 0, width = 0, height = 0;
};

void draw_cells(Canvas& canvas, const Slice& slice, const Frame& frame) {
    for (int row = 0; row < frame.height; ++row) {
        for (int column = 0; column < frame.width; ++column) {
            const double x = (column + 0.5) * slice.columns / frame.width;
            const double y = (row + 0.5) * slice.rows / frame.height;
            canvas.set(frame.x + column, frame.y + row, colour_of(slice, value_at(slice, x, y)));
        }
    }
}

void draw_outline(Canvas& canvas, const Frame& frame) {
    canvas.fill(frame.x - 1, frame.y - 1, frame.width + 2, 1, ink);
    canvas.fill(frame.x - 1, frame.y + frame.height, frame.width + 2, 1, ink);
    canvas.fill(frame.x - 1, frame.y, 1, frame.height, ink);
    canvas.fill(frame.x + frame.width, frame.y, 1, frame.height, ink);
}

std::vector<std::string> bar_texts(const Slice& slice) {
    std::vector<std::string> texts;
    for (int i = 0; i < bar_labels && slice.any_finite; ++i) {
        const double share = static_cast<double>(i) / (bar_labels - 1);
        texts.push_back(fmt::format("{:.4g}", slice.lowest + (slice.highest - slice.lowest) * share));
    }
    return texts;
}

void draw_bar(Canvas& canvas, const Frame& bar, const std::vector<std::string>& texts) {
    for (int row = 0; row < bar.height; ++row) {
        canvas.fill(bar.x, bar.y + row, bar.width, 1, heat_colour(1 - (row + 0.5) / bar.height));
    }
    draw_outline(canvas, bar);
    // A bar too low for five labels keeps the first and the last.
    const std::size_t step = bar.height >= bar_labels * (Canvas::text_height + 4) ? 1 : bar_labels - 1;
    for (std::size_t i = 0; i < texts.size(); i += step) {
        const int y = bar.y + bar.height - static_cast<int>(i) * bar.height / (bar_labels - 1);
        canvas.fill(bar.x + bar.width, y - (i == 0 ? 1 : 0), 6, 1, ink);
        const int top = std::clamp(y - 7, bar.y - 1, bar.y + bar.height - Canvas::text_height + 3);
        canvas.text(bar.x + bar.width + 10, top, texts[i], ink);
    }
}

void draw_axes(Canvas& canvas, const Slice& slice, const Frame& frame, const std::vector<std::string>& axes) {
    const std::string last_column = std::to_string(slice.columns - 1), last_row = std::to_string(slice.rows - 1);
    const int below = frame.y + frame.height + 6;
    canvas.text(frame.x, below, "0", faint);
    canvas.text(frame.x + frame.width - Canvas::text_width(last_column), below, last_column, faint);
    canvas.text(frame.x + (frame.width - Canvas::text_width(axes[0])) / 2, below, axes[0], ink);
    const auto at_left = [&](int y, const std::string& text, Colour colour) {
        canvas.text(frame.x - 6 - Canvas::text_width(text), y, text, colour);
    };
    at_left(frame.y, "0", faint);
    at_left(frame.y + frame.height - Canvas::text_height + 2, last_row, faint);
    if (frame.height >= 4 * Canvas::text_height)
        at_left(frame.y + frame.height / 2 - Canvas::text_height / 2, axes[1], ink);
}

Canvas draw(const Slice& slice, const std::vector<std::string>& axes) {
    const int longest = std::max(slice.columns, slice.rows);
    const double scale = std::clamp<double>(longest, least_side, most_side) / longest;
    const auto pixels = [&](int cells) {
        return std::max(thinnest_side, static_cast<int>(std::lround(cells * scale)));
    };
    const std::vector<std::string> texts = bar_texts(slice);
    int label_width = 0;
    for (const std::string& text : texts) label_width = std::max(label_width, Canvas::text_width(text));

    const int left =
        margin + 6 + std::max(Canvas::text_width(axes[1]), Canvas::text_width(std::to_string(slice.rows - 1)));
    const Frame frame{left, margin + Canvas::text_height + 10, pixels(slice.columns), pixels(slice.rows)};
    const Frame bar{frame.x + frame.width + 20, frame.y, bar_width, frame.height};
    const int width = std::max(bar.x + bar.width + 10 + label_width, left + Canvas::text_width(slice.title)) + margin;
    Canvas canvas(width, frame.y + frame.height + 6 + Canvas::text_height + margin, paper);
    canvas.text(frame.x, margin, slice.title, ink);
    draw_cells(canvas, slice, frame);
    draw_outline(canvas, frame);
    draw_axes(canvas, slice, frame, axes);
    draw_bar(canvas, bar, texts);
    return canvas;
}

}  // namespace

Diagnostics write_slice_png(const std::string& path, const ArrayView& array, const std::vector<std::string>& axes) {
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
    return draw(choose_slice(array, axes), axes).write_png(path);
}

}  // namespace kasc::runtime
