#pragma once
// Parts of expressions whose value the text alone decides.

#include <optional>

#include "frontend/program.hpp"

namespace kasc::rewriting {

/// Null: some part is no number of the text, or it has no finite value. Reals are rounded as in a statement of the
/// precision.
[[nodiscard]] std::optional<double> known_value(const Expression& e, Precision precision);
/// A literal, or one with a minus in front.
[[nodiscard]] ExpressionRef number(double value, ScalarKind kind, const Span& span);
/// The expression with integers of the text computed, and the branch taken of each condition that the text decides:
/// the same words wherever it is evaluated.
[[nodiscard]] ExpressionRef with_known_values(const ExpressionRef& e, Precision precision);

}  // namespace kasc::rewriting
