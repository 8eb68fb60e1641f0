#include "frontend/number_value.hpp"

#include <charconv>
#include <cmath>

namespace kasc::frontend {

std::optional<double> real_value(std::string_view text) {
    if (text.ends_with('f') || text.ends_with('F')) text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool fits_float(double value) {
    // Half a unit in the last place above the largest float; half of the smallest, which rounds to even.
    constexpr double too_large = 0x1.ffffffp127, zero = 0x1p-150;
    const double size = std::abs(value);
    return size == 0 || (size > zero && size < too_large);
}

std::optional<int> integer_value(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace kasc::frontend
