#include "frontend/number_value.hpp"

#include <charconv>
#include <cmath>
#include <limits>

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

std::optional<long long> long_integer_value(std::string_view text) {
    constexpr long long end_of_digits = 1LL << 53;
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value >= end_of_digits) return std::nullopt;
    return value;
}

std::optional<int> integer_value(std::string_view text) {
    const auto value = long_integer_value(text);
    return value && *value <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

}  // namespace kasc::frontend
