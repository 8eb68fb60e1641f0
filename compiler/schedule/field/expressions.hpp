#pragma once
// Equality of uniform expressions: two absolute positions are the same place when they are written the same way.

#include "frontend/expression.hpp"

namespace kasc {

/// Same tree, same literals, same parameters and loop indices. Spans do not count.
[[nodiscard]] bool same_expression(const ExpressionRef& left, const ExpressionRef& right);

}  // namespace kasc
