#pragma once
// The value of a number as written.

#include <optional>
#include <string_view>

namespace kasc::frontend {

/// None where it is too large for a float, or so small that it would become zero there.
[[nodiscard]] std::optional<double> real_value(std::string_view text);
/// None where it needs more than 31 bits.
[[nodiscard]] std::optional<int> integer_value(std::string_view text);

}  // namespace kasc::frontend
