#pragma once
// What is known of a uniform expression before a program runs.

#include <optional>

#include "frontend/expression.hpp"
#include "model/prediction.hpp"

namespace kasc {

/// None: it uses a parameter that has no value yet, or has no finite value.
[[nodiscard]] std::optional<double> settled_value(const Expression& expression, const Problem& problem);

}  // namespace kasc
