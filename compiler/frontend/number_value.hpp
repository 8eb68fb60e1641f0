#pragma once
// The value of a number as written.

#include <optional>
#include <string_view>

namespace kasc::frontend {

/// Rounded once, from decimal to float32; none where it is too large, or so small that it would become zero.
[[nodiscard]] std::optional<float> real_value(std::string_view text);
/// None where it needs more than 31 bits.
[[nodiscard]] std::optional<int> integer_value(std::string_view text);

}  // namespace kasc::frontend
