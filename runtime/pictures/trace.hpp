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

/// Each of its own colour, named at the right; where a value is not finite, a curve has a gap. K0720, K0721: cannot be
/// written. Requires: traces, values.
[[nodiscard]] Diagnostics write_traces_png(const std::string& path, const std::vector<Trace>& traces,
                                           const TraceStyle& style);

}  // namespace kasc::runtime
