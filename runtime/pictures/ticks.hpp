#pragma once
// Numbers beside pictures: round ones, in units that make them easy to read.

#include <string>
#include <vector>

namespace kasc::runtime {

/// Numbers within [low, high], 1, 2 or 5 times a power of ten apart, up to `most` (2 at least) and one at least, not
/// nearer to each other than `least_step`.
struct Ticks {
    std::vector<double> at;
    std::vector<std::string> texts;
};
[[nodiscard]] Ticks round_ticks(double low, double high, int most, double least_step = 0);

/// A unit in which numbers up to `largest` are easy to read: 2.5e6 "Pa" are 2.5 "MPa", factor 1e-6; where the unit
/// takes no prefix, or there is none, a power of ten stands before it: 2.5e6 "K" are 2.5 "×10⁶ K".
struct ScaledUnit {
    double factor = 1;
    std::string text;
};
[[nodiscard]] ScaledUnit scaled_unit(const std::string& unit, double largest);

}  // namespace kasc::runtime
