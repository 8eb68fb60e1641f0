#pragma once
// The value of a number as written.

#include <optional>
#include <string_view>

namespace kasc::frontend {

/// None where it is too large for a double, or so small that it would become zero there.
[[nodiscard]] std::optional<double> real_value(std::string_view text);
/// A float can hold it: it does not overflow, and becomes zero only where it is zero.
[[nodiscard]] bool fits_float(double value);
/// None where it needs more than 31 bits.
[[nodiscard]] std::optional<int> integer_value(std::string_view text);
/// None where it needs more than 53 bits, which a literal has.
[[nodiscard]] std::optional<long long> long_integer_value(std::string_view text);

}  // namespace kasc::frontend
