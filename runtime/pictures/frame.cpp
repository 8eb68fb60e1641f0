// Below: numbers under their marks, the axis' name in a second line. At the left: the name, then the numbers, then the
// marks. Names are never turned: they are short.

#include "runtime/pictures/frame.hpp"

#include <algorithm>
#include <cmath>

namespace kasc::runtime {

namespace {

constexpr int mark = 5, gap = 6;
constexpr int room_across = 70, room_down = 36;  // pixels that a number takes along its side

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : name + ", " + unit;
}

/// Where a tick stands, in pixels along its side.
int place(const Side& side, double value, int pixels) {
    const double range = side.high - side.low;
    return range == 0 ? pixels / 2 : static_cast<int>(std::lround((value - side.low) / range * pixels));
}

}  // namespace

Side::Side(const PictureAxis& axis, double first, double last, int pixels, bool across) {
    const ScaledUnit unit = with_prefix(axis.unit, std::max(std::abs(first), std::abs(last)) * axis.step);
    const double scale = axis.step * unit.factor;
    name = with_unit(axis.name, unit.text);
    low = first * scale;
    high = last * scale;
    ticks =
        round_ticks(std::min(low, high), std::max(low, high), std::max(2, pixels / (across ? room_across : room_down)));
}

Side::Side(std::string text, double from, double to, int most)
    : name(std::move(text)), low(from), high(to), ticks(round_ticks(std::min(from, to), std::max(from, to), most)) {}

int Side::label_width() const {
    int width = 0;
    for (const std::string& text : ticks.texts) width = std::max(width, Canvas::text_width(text));
    return width;
}

void draw_outline(Canvas& canvas, const Frame& frame) {
    canvas.fill(frame.x - 1, frame.y - 1, frame.width + 2, 1, ink);
    canvas.fill(frame.x - 1, frame.y + frame.height, frame.width + 2, 1, ink);
    canvas.fill(frame.x - 1, frame.y, 1, frame.height, ink);
    canvas.fill(frame.x + frame.width, frame.y, 1, frame.height, ink);
}

int left_of_frame(const Side& side) {
    const int name = side.name.empty() ? 0 : Canvas::text_width(side.name) + 2 * gap;
    return picture_margin + name + side.label_width() + gap + mark;
}

void label_below(Canvas& canvas, const Frame& frame, const Side& side) {
    const int bottom = frame.y + frame.height;
    for (std::size_t i = 0; i < side.ticks.at.size(); ++i) {
        const int x = frame.x + place(side, side.ticks.at[i], frame.width),
                  width = Canvas::text_width(side.ticks.texts[i]);
        canvas.fill(x, bottom + 1, 1, mark, ink);
        canvas.text(std::clamp(x - width / 2, 0, std::max(0, canvas.width() - width)), bottom + mark + 4,
                    side.ticks.texts[i], faint);
    }
    canvas.text(frame.x + (frame.width - Canvas::text_width(side.name)) / 2, bottom + mark + Canvas::text_height + 8,
                side.name, ink);
}

void label_left(Canvas& canvas, const Frame& frame, const Side& side) {
    const int right = frame.x - mark - gap;
    for (std::size_t i = 0; i < side.ticks.at.size(); ++i) {
        const int y = frame.y + place(side, side.ticks.at[i], frame.height);
        canvas.fill(frame.x - 1 - mark, y, mark, 1, ink);
        canvas.text(right - Canvas::text_width(side.ticks.texts[i]), y - Canvas::text_height / 2 + 1,
                    side.ticks.texts[i], faint);
    }
    if (frame.height >= 2 * Canvas::text_height)
        canvas.text(picture_margin, frame.y + frame.height / 2 - Canvas::text_height / 2, side.name, ink);
}

void label_right(Canvas& canvas, const Frame& frame, const Side& side) {
    for (std::size_t i = 0; i < side.ticks.at.size(); ++i) {
        const int y = frame.y + frame.height - place(side, side.ticks.at[i], frame.height);
        canvas.fill(frame.x + frame.width, y, mark, 1, ink);
        canvas.text(frame.x + frame.width + mark + 4, y - Canvas::text_height / 2 + 1, side.ticks.texts[i], ink);
    }
}

}  // namespace kasc::runtime
