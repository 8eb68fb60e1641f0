// Layout: title above, values at the left, the series' axis below, names of the curves at the right.

#include "runtime/pictures/trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kasc::runtime {

namespace {

constexpr int width = 800, height = 360;
constexpr Colour grid{228, 228, 228};
// The colours of Okabe and Ito (2008), which are told apart by all eyes, without black and yellow.
constexpr std::array<Colour, 6> curves{
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}}};

Colour colour_of_curve(std::size_t i) { return curves.at(i % curves.size()); }

struct Range {
    double low = 0, high = 0;
};

/// The range of the finite values, with a little room; where all are alike, that value is in the middle.
Range range_of(const std::vector<Trace>& traces, const TraceStyle& style) {
    Range range;
    bool any = false;
    for (const Trace& trace : traces) {
        for (const double value : trace.values) {
            if (!std::isfinite(value)) continue;
            range = {any ? std::min(range.low, value) : value, any ? std::max(range.high, value) : value};
            any = true;
        }
    }
    const double alike = range.high == 0 ? 1 : std::abs(range.high);
    const double room = range.high > range.low ? 0.05 * (range.high - range.low) : 0.5 * alike;
    return {style.low.value_or(range.low - room), style.high.value_or(range.high + room)};
}

/// From (x0, y0) to (x1, y1) in steps of at most a pixel, two pixels thick, within the frame.
void draw_line(Canvas& canvas, const Frame& frame, double x0, double y0, double x1, double y1, Colour colour) {
    const int steps = std::max(1, static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0)))));
    for (int i = 0; i <= steps; ++i) {
        const double share = static_cast<double>(i) / steps;
        const int x = static_cast<int>(std::lround(x0 + (x1 - x0) * share)),
                  y = static_cast<int>(std::lround(y0 + (y1 - y0) * share));
        for (int k = 0; k < 4; ++k) {
            const int column = x + k % 2, row = y + k / 2;
            if (column >= 0 && column < frame.width && row >= 0 && row < frame.height)
                canvas.set(frame.x + column, frame.y + row, colour);
        }
    }
}

void draw_curve(Canvas& canvas, const Frame& frame, const Trace& trace, const Range& range, Colour colour) {
    // What lies far beyond the frame is drawn just beyond it: so that no line has more steps than pixels.
    const auto down = [&](double value) {
        return std::clamp((range.high - value) / (range.high - range.low), -1.0, 2.0) * (frame.height - 1);
    };
    const std::size_t count = trace.values.size();
    const auto across = [&](std::size_t i) {
        return static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(count - 1, 1)) * (frame.width - 1);
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(trace.values[i])) continue;
        const std::size_t before = i > 0 && std::isfinite(trace.values[i - 1]) ? i - 1 : i;
        draw_line(canvas, frame, across(before), down(trace.values[before]), across(i), down(trace.values[i]), colour);
    }
}

void draw_grid(Canvas& canvas, const Frame& frame, const Side& values) {
    for (const double at : values.ticks.at) {
        const double share = (at - values.low) / (values.high - values.low);
        canvas.fill(frame.x, frame.y + static_cast<int>(std::lround(share * frame.height)), frame.width, 1, grid);
    }
}

}  // namespace

Diagnostics write_traces_png(const std::string& path, const std::vector<Trace>& traces, const TraceStyle& style) {
    const Range range = range_of(traces, style);
    const ScaledUnit unit = with_prefix(style.unit, std::max(std::abs(range.low), std::abs(range.high)));
    const Side values("", range.high * unit.factor, range.low * unit.factor, 8);
    std::size_t longest = 0;
    int name_width = 0;
    for (const Trace& trace : traces) {
        longest = std::max(longest, trace.values.size());
        name_width = std::max(name_width, Canvas::text_width(trace.name));
    }
    const Side along(style.along, 0, static_cast<double>(std::max<std::size_t>(longest, 2) - 1), width, true);
    const std::string title = style.title + (unit.text.empty() ? "" : ", " + unit.text);

    const Frame frame{left_of_frame(values), picture_margin + Canvas::text_height + 10, width, height};
    const int right =
        std::max(frame.x + width + (name_width > 0 ? 16 + name_width : 0), frame.x + Canvas::text_width(title));
    Canvas canvas(right + picture_margin, frame.y + height + below_frame + picture_margin, paper);
    canvas.text(frame.x, picture_margin, title, ink);
    draw_grid(canvas, frame, values);
    for (std::size_t i = 0; i < traces.size(); ++i) {
        draw_curve(canvas, frame, traces[i], range, colour_of_curve(i));
        canvas.text(frame.x + width + 16, frame.y + static_cast<int>(i) * (Canvas::text_height + 8), traces[i].name,
                    colour_of_curve(i));
    }
    draw_outline(canvas, frame);
    label_below(canvas, frame, along);
    label_left(canvas, frame, values);
    return canvas.write_png(path);
}

}  // namespace kasc::runtime
