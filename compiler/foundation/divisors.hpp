#pragma once
// Divisors of which a quotient needs no division (support/kasc_quotients.hpp, where it is shown why).

#include <cmath>

namespace kasc {

/// Holds for reals of either precision; false for powers of 2, by which compilers multiply.
[[nodiscard]] inline bool is_divided_by_products(double divisor) {
    constexpr double most_odd_part = 65536, most_exponent = 40;
    int exponent = 0;
    double odd_part = std::abs(std::frexp(divisor, &exponent));
    if (!std::isfinite(divisor) || odd_part == 0 || std::abs(exponent) > most_exponent) return false;
    while (odd_part != std::floor(odd_part) && odd_part < most_odd_part) odd_part *= 2;
    return odd_part > 1 && odd_part < most_odd_part;
}

/// By a power of 2 a quotient is a product.
[[nodiscard]] inline bool is_power_of_two(double divisor) {
    int exponent = 0;
    return std::isfinite(divisor) && std::abs(std::frexp(divisor, &exponent)) == 0.5;
}

}  // namespace kasc
