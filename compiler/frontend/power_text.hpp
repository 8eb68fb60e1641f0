#pragma once
// What stands around a '^' as its author read it: other languages have it bind stronger than products and signs.

#include <string>

#include "foundation/source.hpp"

namespace kasc::frontend {

/// tanh(T)^2 of "3*tanh(T)^2*x"
struct PowerText {
    std::string base, exponent;  ///< without brackets around all of it; empty: nothing short stands there
    Span span;
    bool divides = false;  ///< a '/' or '%' stands before it
};

/// `sign`: the place of the '^'.
[[nodiscard]] PowerText power_at(const Span& sign);

/// "a power is 'pow(x, 2)', a square 'x*x'". `of_products`: by products alone, as of complex numbers.
[[nodiscard]] std::string help_for_power(const PowerText& power, bool of_products);

}  // namespace kasc::frontend
