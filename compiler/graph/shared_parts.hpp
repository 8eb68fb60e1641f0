#pragma once
// Equal parts of an expression as one: whoever has looked at a part knows it again by its address.

#include "frontend/expression.hpp"

namespace kasc {

/// The same expression; of its parts that are equal (same_expression) all are the first one.
[[nodiscard]] ExpressionRef with_shared_parts(const ExpressionRef& expression);

}  // namespace kasc
