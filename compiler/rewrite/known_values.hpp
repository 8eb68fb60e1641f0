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
/// What stands in the place of `before`, rounded as that is: a product that a known condition leaves of a choice is
/// rounded before it is added, which one that was written there is not. Two signs keep it from being one with the sum.
[[nodiscard]] ExpressionRef rounded_as(const ExpressionRef& before, const ExpressionRef& made);
/// The expression with integers of the text computed, and the branch taken of each condition that the text decides:
/// the same words wherever it is evaluated.
[[nodiscard]] ExpressionRef with_known_values(const ExpressionRef& e, Precision precision);

}  // namespace kasc::rewriting
