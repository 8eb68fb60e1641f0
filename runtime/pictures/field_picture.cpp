// A slice alone:                            Three planes of a field T[x,y,z], all to one scale:
//
//       T[x,y,z=47]                               T
//      +------------+  +-+                        z = 47             x = 20
//    y |            |  | | values                +------------+     +-----+       +-+
//      +------------+  +-+                     y |            |   y |     |       | |
//            x                                   +------------+     +-----+       | |
//                                                      x               z          | | values
//                                                y = 31                           | |
//                                                +------------+                   | |
//                                              z |            |                   | |
//                                                +------------+                   +-+
//                                                      x
//
// Small triangles beside a plane show where the other two cut it.

#include "runtime/pictures/field_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kasc::runtime {

namespace {

constexpr int least_side = 512, most_side = 2048;            // pixels of the longer side of a slice alone
constexpr int least_of_planes = 560, most_of_planes = 1400;  // of two planes beside each other
constexpr int thinnest_side = 32;
constexpr int bar_width = 20, shortest_bar = 96, beside_bar = 24;
constexpr int title_room = text_height + 8, panel_title_room = text_height + 10;
constexpr int between_panels = 24;

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

Pixels pixels_of(const Slice& slice, const ColourScale& scale, const Frame& frame) {
    Pixels pixels{frame.width, frame.height};
    for (int row = 0; row < frame.height; ++row) {
        for (int column = 0; column < frame.width; ++column) {
            const double x = (column + 0.5) * slice.columns / frame.width;
            const double y = (row + 0.5) * slice.rows / frame.height;
            pixels.colours.push_back(scale.of(value_at(slice, x, y)));
        }
    }
    return pixels;
}

/// A side in cells and in its unit.
struct Length {
    int cells;
    double length;
    std::string unit;
};
Length across(const Slice& slice) { return {slice.columns, slice.columns * slice.across.step, slice.across.unit}; }
Length down(const Slice& slice) { return {slice.rows, slice.rows * slice.down.step, slice.down.unit}; }

/// Pixels of a unit of length, so that the longer of some sums of lengths stays within bounds.
double pixels_per_unit(const std::vector<std::vector<Length>>& rows, int least, int most) {
    double cells = 0, longest = 0;
    for (const auto& row : rows) {
        double row_cells = 0, row_length = 0;
        for (const Length& side : row) row_cells += side.cells, row_length += side.length;
        cells = std::max(cells, row_cells);
        longest = std::max(longest, row_length);
    }
    return std::clamp<double>(cells, least, most) / longest;
}

int pixels_of_side(const Length& side, double per_unit) {
    return std::max(thinnest_side, static_cast<int>(std::lround(side.length * per_unit)));
}

/// The largest of the sides in this unit; cells are counted by themselves.
double largest_in(const std::string& unit, const std::vector<Length>& sides) {
    double largest = 0;
    for (const Length& side : sides) {
        if (!unit.empty() && side.unit == unit) largest = std::max(largest, side.length);
    }
    return largest;
}

FieldFigure::Panel panel_of(const Slice& slice, int x, int y, int width, int height, const std::vector<Length>& sides) {
    return {slice,
            "",
            {x, y, width, height},
            Side::across(slice.across, -0.5, slice.columns - 0.5, width, largest_in(slice.across.unit, sides)),
            Side::down(slice.down, -0.5, slice.rows - 0.5, height, largest_in(slice.down.unit, sides)),
            {}};
}

void lay_out_one(FieldFigure& figure, const Slice& slice, bool stretch) {
    const Length a = across(slice), d = down(slice);
    int width = std::clamp(a.cells, least_side, most_side), height = std::clamp(d.cells, least_side, most_side);
    if (!stretch && a.unit == d.unit) {
        const double scale = pixels_per_unit({{a}, {d}}, least_side, most_side);
        width = pixels_of_side(a, scale);
        height = pixels_of_side(d, scale);
    }
    FieldFigure::Panel panel = panel_of(slice, 0, picture_margin + title_room, width, height, {a, d});
    panel.frame.x = picture_margin + left_of_frame(panel.down);
    figure.panels.push_back(std::move(panel));
}

/// As shares of the sides.
Point crossing(const CutPlace& across, const CutPlace& down) {
    const auto share = [](const CutPlace& cut) {
        return (static_cast<double>(cut.at) + 0.5) / static_cast<double>(cut.cells);
    };
    return {share(across), share(down)};
}

void lay_out_three(FieldFigure& figure, const std::vector<Slice>& slices, bool stretch) {
    const Slice &xy = slices.at(0), &xz = slices.at(1), zy = transposed(slices.at(2));
    const std::vector<Length> sides{across(xy), down(xy), down(xz)};
    std::array<int, 3> pixels{};
    const bool to_scale = !stretch && sides[0].unit == sides[1].unit && sides[1].unit == sides[2].unit;
    const double scale = pixels_per_unit({{sides[0], sides[2]}, {sides[1], sides[2]}}, least_of_planes, most_of_planes);
    for (std::size_t k = 0; k < 3; ++k)
        pixels.at(k) = to_scale ? pixels_of_side(sides.at(k), scale)
                                : std::clamp(sides.at(k).cells, least_of_planes / 2, most_of_planes / 2);
    const int first_y = picture_margin + title_room + panel_title_room;
    FieldFigure::Panel a = panel_of(xy, 0, first_y, pixels[0], pixels[1], sides);
    const int second_y = first_y + pixels[1] + below_frame + panel_title_room + 12;
    FieldFigure::Panel c = panel_of(xz, 0, second_y, pixels[0], pixels[2], sides);
    a.frame.x = c.frame.x = picture_margin + std::max(left_of_frame(a.down), left_of_frame(c.down));
    FieldFigure::Panel b = panel_of(zy, 0, first_y, pixels[2], pixels[1], sides);
    // The title above a narrow plane may be wider than it.
    for (FieldFigure::Panel* panel : {&a, &b, &c}) {
        const CutPlace& cut = *panel->slice.cut;
        panel->title =
            fmt::format("{} = {}", cut.axis.name, place_text(cut.axis, cut.at, largest_in(cut.axis.unit, sides)));
    }
    const int a_width = std::max(pixels[0], static_cast<int>(text_width(a.title)));
    b.frame.x = a.frame.x + a_width + between_panels + left_of_frame(b.down);
    const CutPlace &z = *xy.cut, &y = *xz.cut, &x = *zy.cut;
    a.crossing = {crossing(x, y)};
    b.crossing = {crossing(z, y)};
    c.crossing = {crossing(x, z)};
    figure.panels = {std::move(a), std::move(b), std::move(c)};
}

/// The bar beside the panels, the numbers beside it, and the size of all.
void lay_out_bar(FieldFigure& figure, const std::string& unit) {
    int right = 0, bottom = 0;
    for (const FieldFigure::Panel& panel : figure.panels) {
        const int title = static_cast<int>(std::ceil(text_width(panel.title)));
        right = std::max(right, panel.frame.x + std::max(panel.frame.width, title));
        bottom = std::max(bottom, panel.frame.y + panel.frame.height);
    }
    const int top = figure.panels.front().frame.y;
    figure.bar = {right + beside_bar, top, bar_width, std::max(bottom - top, shortest_bar)};
    figure.values = Side::of_values(unit, figure.scale.high, figure.scale.low, figure.bar.height);
    const int title = static_cast<int>(std::ceil(text_width(figure.title)));
    figure.width = picture_margin + std::max(figure.bar.x + bar_width + right_of_frame(figure.values),
                                             figure.panels.front().frame.x + title);
    figure.height = std::max(bottom + below_frame, top + figure.bar.height + text_height) + picture_margin;
}

void draw_bar(Page& page, const FieldFigure& figure) {
    const Frame& bar = figure.bar;
    Pixels pixels{1, bar.height};
    for (int row = 0; row < bar.height; ++row)
        pixels.colours.push_back(colour_of(figure.scale.map, 1 - (row + 0.5) / bar.height));
    page.image(bar, pixels);
    draw_outline(page, bar);
    if (figure.any_finite) label_right(page, bar, figure.values);
}

/// Triangles above and at the right, which point at the lines where other planes cut.
void mark_crossing(Page& page, const Frame& frame, Point share) {
    constexpr double half = 4, length = 7;
    const double x = frame.x + share.x * frame.width, y = frame.y + share.y * frame.height;
    const double top = frame.y - 2, right = frame.x + frame.width + 2;
    page.fill({{x, top}, {x - half, top - length}, {x + half, top - length}}, faint);
    page.fill({{right, y}, {right + length, y - half}, {right + length, y + half}}, faint);
}

}  // namespace

Diagnostics check_drawable(const ArrayView& array, std::size_t axes) {
    // A side must fit an int; a longer one would not be seen as a picture either.
    constexpr std::uint64_t longest_side = 1U << 30;
    const auto cells = cell_count(array.shape);
    const bool drawable = (array.shape.size() == 2 || array.shape.size() == 3) && axes == array.shape.size() && cells &&
                          *cells > 0 && *cells == array.values.size() &&
                          *std::max_element(array.shape.begin(), array.shape.end()) <= longest_side;
    if (drawable) return {};
    Diagnostic d;
    d.code = "K0730";
    d.message = fmt::format("'{}' of shape {} cannot be shown as a picture", array.name, to_text(array.shape));
    d.help = "a picture shows a field of two axes, or planes of a field of three";
    return {d};
}

FieldFigure lay_out(const std::vector<Slice>& slices, const FieldStyle& style) {
    FieldFigure figure;
    double lowest = 0, highest = 0;
    for (const Slice& slice : slices) {
        if (!slice.any_finite) continue;
        lowest = figure.any_finite ? std::min(lowest, slice.lowest) : slice.lowest;
        highest = figure.any_finite ? std::max(highest, slice.highest) : slice.highest;
        figure.any_finite = true;
    }
    figure.scale = colour_scale(lowest, highest, style.colours);
    const bool alone = slices.size() == 1;
    figure.title = alone ? slices.front().title : slices.front().name;
    if (!style.moment.empty()) figure.title += ", " + style.moment;
    if (alone)
        lay_out_one(figure, slices.front(), style.stretch);
    else
        lay_out_three(figure, slices, style.stretch);
    lay_out_bar(figure, style.unit);
    return figure;
}

void draw(Page& page, const FieldFigure& figure) {
    const double left = figure.panels.front().frame.x;
    page.text({left, picture_margin + text_height / 2.0}, Anchor::left, figure.title, ink);
    for (const FieldFigure::Panel& panel : figure.panels) {
        const Frame& frame = panel.frame;
        page.image(frame, pixels_of(panel.slice, figure.scale, frame));
        draw_outline(page, frame);
        label_below(page, frame, panel.across);
        label_left(page, frame, panel.down);
        for (const Point& share : panel.crossing) mark_crossing(page, frame, share);
        const double above = frame.y - panel_title_room + text_height / 2.0 - 4;
        page.text({static_cast<double>(frame.x), above}, Anchor::left, panel.title, ink);
    }
    draw_bar(page, figure);
}

Diagnostics write_field(const std::string& path, const ArrayView& array, const std::vector<PictureAxis>& axes,
                        const Cuts& cuts, const FieldStyle& style) {
    if (Diagnostics bad = check_drawable(array, axes.size()); !bad.empty()) return bad;
    if (Diagnostics bad = check_picture_format(path); !bad.empty()) return bad;
    std::vector<Slice> slices;
    for (const Cut& cut : cuts) slices.push_back(cut_slice(array, axes, cut));
    const FieldFigure figure = lay_out(slices, style);
    Page page(*picture_format(path), figure.width, figure.height, figure.title);
    draw(page, figure);
    return page.write(path);
}

}  // namespace kasc::runtime
