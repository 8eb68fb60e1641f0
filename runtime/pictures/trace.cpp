// Layout: title above, values at the left, the series' axis below, names of the curves at the right.

#include "runtime/pictures/trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kasc::runtime {

namespace {

constexpr int width = 720, height = 360;
constexpr double thick = 1.8;
constexpr std::size_t most_names = 12;
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

/// Where a point stands in pixels: what lies far beyond the frame just beyond it, as no format counts far.
class Curve {
public:
    Curve(double step, double high, double scale) : step_(step), high_(high), scale_(scale) {}

    void add(std::size_t i, double value) {
        if (!std::isfinite(value)) {
            end_pixel();
            end_piece();
            return;
        }
        const double x = static_cast<double>(i) * step_, y = std::clamp((high_ - value) * scale_, -2e4, 2e4);
        if (step_ >= 0.5) {
            piece_.push_back({x, y});
            return;
        }
        const double pixel = std::floor(x);
        if (pixel != pixel_) end_pixel();
        pixel_ = pixel;
        if (in_pixel_.empty()) in_pixel_.assign(2, {x, y});
        if (y < in_pixel_[0].y) in_pixel_[0] = {x, y};
        if (y > in_pixel_[1].y) in_pixel_[1] = {x, y};
    }
    std::vector<std::vector<Point>> end() {
        end_pixel();
        end_piece();
        return std::move(pieces_);
    }

private:
    void end_pixel() {
        if (in_pixel_.size() == 2 && in_pixel_[0].x > in_pixel_[1].x) std::swap(in_pixel_[0], in_pixel_[1]);
        piece_.insert(piece_.end(), in_pixel_.begin(), in_pixel_.end());
        in_pixel_.clear();
    }
    void end_piece() {
        if (!piece_.empty()) pieces_.push_back(std::move(piece_));
        piece_.clear();
    }
    double step_, high_, scale_;
    double pixel_ = -1;
    std::vector<Point> in_pixel_, piece_;  // the highest and the lowest point of a pixel
    std::vector<std::vector<Point>> pieces_;
};

void draw_curve(Page& page, const Frame& frame, const Trace& trace, const Range& range, Colour colour) {
    const double step =
        static_cast<double>(frame.width) / static_cast<double>(std::max<std::size_t>(trace.values.size(), 2) - 1);
    for (std::vector<Point> piece :
         curve_points(trace.values, step, range.high, frame.height / (range.high - range.low))) {
        for (Point& point : piece) point = {frame.x + point.x, frame.y + point.y};
        page.line(piece, frame, thick, colour);
    }
}

void draw_grid(Page& page, const Frame& frame, const Side& values, const Side& along) {
    for (const double at : values.ticks.at)
        page.fill({frame.x, frame.y + std::min(values.place(at, frame.height), frame.height - 1), frame.width, 1},
                  grid);
    for (const double at : along.ticks.at)
        page.fill({frame.x + std::min(along.place(at, frame.width), frame.width - 1), frame.y, 1, frame.height}, grid);
}

}  // namespace

std::vector<std::vector<Point>> curve_points(const std::vector<double>& values, double step, double high,
                                             double scale) {
    Curve curve(step, high, scale);
    for (std::size_t i = 0; i < values.size(); ++i) curve.add(i, values[i]);
    return curve.end();
}

Diagnostics write_traces(const std::string& path, const std::vector<Trace>& traces, const TraceStyle& style) {
    if (Diagnostics bad = check_picture_format(path); !bad.empty()) return bad;
    const Range range = range_of(traces, style);
    const Side values = Side::of_values(style.unit, range.high, range.low, height);
    const bool named = traces.size() <= most_names;
    std::size_t longest = 0;
    double name_width = 0;
    for (const Trace& trace : traces) {
        longest = std::max(longest, trace.values.size());
        if (named) name_width = std::max(name_width, text_width(trace.name));
    }
    const Side along = Side::across(style.along, 0, static_cast<double>(std::max<std::size_t>(longest, 2) - 1), width);

    const Frame frame{picture_margin + left_of_frame(values), picture_margin + text_height + 8, width, height};
    const int beside = name_width > 0 ? 14 + static_cast<int>(std::ceil(name_width)) : 20;
    const int right = std::max(frame.x + width + beside, frame.x + static_cast<int>(text_width(style.title)));
    Page page(*picture_format(path), right + picture_margin, frame.y + height + below_frame + picture_margin,
              style.title);
    page.text({static_cast<double>(frame.x), picture_margin + text_height / 2.0}, Anchor::left, style.title, ink);
    draw_grid(page, frame, values, along);
    for (std::size_t i = 0; i < traces.size(); ++i) {
        draw_curve(page, frame, traces[i], range, colour_of_curve(i));
        if (!named) continue;
        const double y = frame.y + (static_cast<double>(i) + 0.5) * (text_height + 6);
        page.text({frame.x + width + 14.0, y}, Anchor::left, traces[i].name, colour_of_curve(i));
    }
    draw_outline(page, frame);
    label_below(page, frame, along);
    label_left(page, frame, values);
    return page.write(path);
}

}  // namespace kasc::runtime
