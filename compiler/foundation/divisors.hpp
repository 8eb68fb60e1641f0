#pragma once
// Divisors of which a quotient is a product, as compilers have it.

#include <cmath>

namespace kasc {

[[nodiscard]] inline bool is_power_of_two(double divisor) {
    int exponent = 0;
    return std::isfinite(divisor) && std::abs(std::frexp(divisor, &exponent)) == 0.5;
}

}  // namespace kasc
