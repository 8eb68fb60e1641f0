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
    if (std::abs(value) >= 1e6 || step < 1e-12) return fmt::format("{:.6g}", value);
    return fmt::format("{:.{}f}", value, std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9))));
}

/// A unit that takes prefixes, and between which: powers of 1000.
struct PrefixedUnit {
    const char* name;
    int least, most;
};
// Numbers of seconds stay: kiloseconds are nobody's. So do those of sound's speed.
constexpr std::array<PrefixedUnit, 12> prefixed{{{"m", -4, 1},
                                                 {"s", -4, 0},
                                                 {"m/s", -4, 0},
                                                 {"Pa", -4, 3},
                                                 {"Hz", -1, 3},
                                                 {"W", -4, 3},
                                                 {"J", -4, 3},
                                                 {"N", -4, 3},
                                                 {"V", -4, 3},
                                                 {"A", -4, 3},
                                                 {"W/m²", -1, 3},
                                                 {"W/m^2", -1, 3}}};
constexpr std::array<const char*, 8> prefixes{"p", "n", "µ", "m", "", "k", "M", "G"};
constexpr int plain = 4;

std::string power_text(int exponent) {
    constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "×10⁻" : "×10";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += digits.at(static_cast<std::size_t>(digit - '0'));
    return text;
}

}  // namespace

Ticks round_ticks(double low, double high, int most, double least_step) {
    Ticks ticks;
    // Numbers that agree in twelve digits are not told apart.
    const bool apart = high - low > 1e-12 * std::max(std::abs(low), std::abs(high));
    if (!(high > low) || !std::isfinite(high - low) || !apart) {
        ticks.at.push_back(low);
        ticks.texts.push_back(fmt::format("{:.4g}", low));
        return ticks;
    }
    // Where no multiple of the step lies within, one of a smaller step does.
    for (int wanted = most; ticks.at.empty(); ++wanted) {
        const double step = std::max(round_step(high - low, wanted), least_step);
        const double slack = 1e-6 * step;
        for (double n = std::ceil((low - slack) / step); n * step <= high + slack; ++n) {
            ticks.at.push_back(n * step);
            ticks.texts.push_back(text_of(n * step, step));
        }
        if (step == least_step) break;
    }
    return ticks;
}

ScaledUnit scaled_unit(const std::string& unit, double largest) {
    constexpr double most_plain = 1e4, least_plain = 1e-2;  // within which numbers are read as they are
    if (!(largest > 1e-300) || !std::isfinite(largest)) return {1, unit};
    if (unit == "m" && largest >= 0.1 && largest < 1) return {100, "cm"};
    const int thousands = static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
    const auto* const found =
        std::find_if(prefixed.begin(), prefixed.end(), [&](const PrefixedUnit& p) { return unit == p.name; });
    if (found != prefixed.end()) {
        const int chosen = std::clamp(thousands, found->least, found->most);
        const double left = largest * std::pow(1000, -chosen);
        if (left < most_plain && left >= least_plain)
            return {std::pow(1000, -chosen), prefixes.at(static_cast<std::size_t>(plain + chosen)) + unit};
    }
    if (largest < most_plain && largest >= least_plain) return {1, unit};
    return {std::pow(10, -3 * thousands), power_text(3 * thousands) + (unit.empty() ? "" : " " + unit)};
}

}  // namespace kasc::runtime
