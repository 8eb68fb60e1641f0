// Below: numbers under their marks, the axis' name in a second line. At the left: the name, turned, then the numbers,
// then the marks; at the right the same in the mirror.

#include "runtime/pictures/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kasc::runtime {

namespace {

constexpr int mark = 5, gap = 4;
constexpr int least_room = 30;      // pixels of the side for a number at least
constexpr int between_across = 16;  // pixels from number to number in a line
constexpr int name_room = text_height + 4;

std::string named(const std::string& name, const std::string& unit) {
    return name.empty() || unit.empty() ? name + unit : name + ", " + unit;
}

int width_of(const std::string& text) { return static_cast<int>(std::ceil(text_width(text))); }

/// As many numbers as have room beside each other; `room` tells what one takes of the side.
template <class Room>
void choose_ticks(Side& side, int pixels, double least_step, const Room& room) {
    const double low = std::min(side.low, side.high), high = std::max(side.low, side.high);
    for (int most = std::max(2, pixels / least_room); most >= 2; --most) {
        side.ticks = round_ticks(low, high, most, least_step);
        if (side.ticks.at.size() < 2) return;
        const double apart = (side.ticks.at[1] - side.ticks.at[0]) / (high - low) * pixels;
        if (apart >= room(side)) return;
    }
}

Side side_of(const PictureAxis& axis, double first, double last, double largest) {
    const double own = std::max(std::abs(first), std::abs(last)) * axis.step;
    const ScaledUnit unit = scaled_unit(axis.unit, std::max(own, largest));
    const double scale = axis.step * unit.factor;
    return {named(axis.name, unit.text), first * scale, last * scale, {}};
}

/// Entries are whole numbers.
double least_step(const PictureAxis& axis) { return axis.unit.empty() && axis.step == 1 ? 1 : 0; }

double room_down(const Side&) { return 1.7 * text_height; }
double room_of_values(const Side&) { return 2.4 * text_height; }

}  // namespace

std::string place_text(const PictureAxis& axis, std::uint64_t entry, double largest) {
    const double place = static_cast<double>(entry) * axis.step;
    if (axis.unit.empty()) return fmt::format("{:.6g}", place);
    const ScaledUnit scaled = scaled_unit(axis.unit, largest);
    return fmt::format("{:.4g} {}", place * scaled.factor, scaled.text);
}

Side Side::across(const PictureAxis& axis, double first, double last, int pixels, double largest) {
    Side side = side_of(axis, first, last, largest);
    choose_ticks(side, pixels, least_step(axis), [](const Side& s) { return s.label_width() + between_across; });
    return side;
}

Side Side::down(const PictureAxis& axis, double first, double last, int pixels, double largest) {
    Side side = side_of(axis, first, last, largest);
    choose_ticks(side, pixels, least_step(axis), room_down);
    return side;
}

Side Side::of_values(const std::string& unit, double top, double bottom, int pixels) {
    const ScaledUnit scaled = scaled_unit(unit, std::max(std::abs(top), std::abs(bottom)));
    Side side{scaled.text, top * scaled.factor, bottom * scaled.factor, {}};
    choose_ticks(side, pixels, 0, room_of_values);
    return side;
}

int Side::label_width() const {
    int width = 0;
    for (const std::string& text : ticks.texts) width = std::max(width, width_of(text));
    return width;
}

int Side::place(double value, int pixels) const {
    const double range = high - low;
    return range == 0 ? pixels / 2 : static_cast<int>(std::lround((value - low) / range * pixels));
}

void draw_outline(Page& page, const Frame& frame) {
    page.fill({frame.x - 1, frame.y - 1, frame.width + 2, 1}, ink);
    page.fill({frame.x - 1, frame.y + frame.height, frame.width + 2, 1}, ink);
    page.fill({frame.x - 1, frame.y, 1, frame.height}, ink);
    page.fill({frame.x + frame.width, frame.y, 1, frame.height}, ink);
}

int left_of_frame(const Side& side) { return (side.name.empty() ? 0 : name_room) + side.label_width() + gap + mark; }

int right_of_frame(const Side& side) { return left_of_frame(side); }

void label_below(Page& page, const Frame& frame, const Side& side) {
    const int bottom = frame.y + frame.height;
    for (std::size_t i = 0; i < side.ticks.at.size(); ++i) {
        const int x = frame.x + std::min(side.place(side.ticks.at[i], frame.width), frame.width - 1);
        page.fill({x, bottom + 1, 1, mark}, ink);
        page.text({x + 0.5, bottom + mark + 3 + text_height / 2.0}, Anchor::middle, side.ticks.texts[i], faint);
    }
    page.text({frame.x + frame.width / 2.0, bottom + mark + 3 + 1.5 * text_height}, Anchor::middle, side.name, ink);
}

void label_left(Page& page, const Frame& frame, const Side& side) {
    const int right = frame.x - mark - gap;
    for (std::size_t i = 0; i < side.ticks.at.size(); ++i) {
        const int y = frame.y + std::min(side.place(side.ticks.at[i], frame.height), frame.height - 1);
        page.fill({frame.x - 1 - mark, y, mark, 1}, ink);
        page.text({static_cast<double>(right), y + 0.5}, Anchor::right, side.ticks.texts[i], faint);
    }
    page.turned_text({right - side.label_width() - name_room / 2.0, frame.y + frame.height / 2.0}, side.name, ink);
}

void label_right(Page& page, const Frame& frame, const Side& side) {
    const int left = frame.x + frame.width + mark + gap;
    for (std::size_t i = 0; i < side.ticks.at.size(); ++i) {
        const int y = frame.y + std::min(side.place(side.ticks.at[i], frame.height), frame.height - 1);
        page.fill({frame.x + frame.width + 1, y, mark, 1}, ink);
        page.text({static_cast<double>(left), y + 0.5}, Anchor::left, side.ticks.texts[i], faint);
    }
    page.turned_text({left + side.label_width() + name_room / 2.0, frame.y + frame.height / 2.0}, side.name, ink);
}

}  // namespace kasc::runtime
