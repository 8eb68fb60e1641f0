#include "runtime/pictures/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kasc::runtime {

namespace {

/// The least step of 1, 2 or 5 times a power of ten that divides `range` into less than `most` parts.
double round_step(double range, int most) {
    const double least = range / std::max(most - 1, 1);
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double times : {1.0, 2.0, 5.0}) {
        if (times * power >= least * (1 - 1e-9)) return times * power;
    }
    return 10 * power;
}

std::string text_of(double value, double step) {
    if (std::abs(value) < 1e-9 * step) return "0";
    const double largest = std::abs(value);
    if (largest >= 1e6 || step < 1e-4) return fmt::format("{:.6g}", value);
    return fmt::format("{:.{}f}", value, std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9))));
}

}  // namespace

Ticks round_ticks(double low, double high, int most) {
    Ticks ticks;
    if (!(high > low) || !std::isfinite(high - low)) {
        ticks.at.push_back(low);
        ticks.texts.push_back(fmt::format("{:.4g}", low));
        return ticks;
    }
    const double step = round_step(high - low, most);
    const double slack = 1e-6 * step;
    for (double n = std::ceil((low - slack) / step); n * step <= high + slack; ++n) {
        ticks.at.push_back(n * step);
        ticks.texts.push_back(text_of(n * step, step));
    }
    return ticks;
}

ScaledUnit with_prefix(const std::string& unit, double largest) {
    constexpr std::array with{"m", "s", "Pa", "m/s"};
    const bool takes_one = std::find(with.begin(), with.end(), unit) != with.end();
    if (!takes_one || !(largest > 0) || !std::isfinite(largest)) return {1, unit};
    constexpr std::array<const char*, 8> prefixes{"p", "n", "u", "m", "", "k", "M", "G"};
    constexpr int plain = 4;
    // Not above "m" for lengths, times and velocities: 2000 m/s stay.
    const int most = unit == "Pa" ? static_cast<int>(prefixes.size()) - 1 : plain;
    const int thousands = static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9)) + plain;
    const int chosen = std::clamp(thousands, 0, most);
    return {std::pow(1000, plain - chosen), prefixes.at(static_cast<std::size_t>(chosen)) + unit};
}

}  // namespace kasc::runtime
