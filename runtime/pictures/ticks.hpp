#pragma once
// Numbers beside pictures: round ones, with units that have a prefix.

#include <string>
#include <vector>

namespace kasc::runtime {

/// Numbers within [low, high], 1, 2 or 5 times a power of ten apart, as many as there are up to `most` (2 at least).
struct Ticks {
    std::vector<double> at;
    std::vector<std::string> texts;
};
[[nodiscard]] Ticks round_ticks(double low, double high, int most);

/// A unit in which numbers up to `largest` are easy to read: 2.5e6 "Pa" are 2.5 "MPa", factor 1e-6. "" and units that
/// take no prefix stay.
struct ScaledUnit {
    double factor = 1;
    std::string text;
};
[[nodiscard]] ScaledUnit with_prefix(const std::string& unit, double largest);

}  // namespace kasc::runtime
