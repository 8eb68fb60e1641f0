#pragma once
// Equality of expressions as they are written.

#include "frontend/expression.hpp"

namespace kasc {

/// The same tree with the same literals, parameters and loop indices, over operands of the same numbers. Spans do not
/// count; null is the same as null alone.
[[nodiscard]] bool same_expression(const ExpressionRef& left, const ExpressionRef& right);

}  // namespace kasc
