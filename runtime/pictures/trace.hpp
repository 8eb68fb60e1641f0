#pragma once
// Series as a picture of curves, such as the pressure at some sensors over time.

#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/pictures/frame.hpp"

namespace kasc::runtime {

struct Trace {
    std::string name;
    std::vector<double> values;
};

struct TraceStyle {
    std::string title;
    PictureAxis along;                    ///< of the values' indices
    std::string unit{};                   ///< of the values
    std::optional<double> low{}, high{};  ///< none: of the values
};

/// Each of its own colour; where a value is not finite, a curve has a gap. Up to a dozen are named at the right. K0731;
/// K0720, K0721: cannot be written. Requires: traces, values.
[[nodiscard]] Diagnostics write_traces(const std::string& path, const std::vector<Trace>& traces,
                                       const TraceStyle& style);

/// Pieces of a curve, between values that are not finite, as points in pixels: entry i stands at i * step to the right,
/// a value at (high - value) * scale downwards. Where there are more entries than pixels, the least and largest of each
/// pixel stay.
[[nodiscard]] std::vector<std::vector<Point>> curve_points(const std::vector<double>& values, double step, double high,
                                                           double scale);

}  // namespace kasc::runtime
