#pragma once
// Whole numbers that the host knows: bounds of loops and positions, with what is known of them computed.

#include <optional>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

/// The whole number that a literal is; none: another expression.
[[nodiscard]] std::optional<long long> whole_number_of(const ExpressionRef& e);

/// A literal.
[[nodiscard]] ExpressionRef counted(long long value);

/// left op right, of integers: a literal where both are, and without a 0 that is added.
[[nodiscard]] ExpressionRef arithmetic(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right);
[[nodiscard]] ExpressionRef smaller(const ExpressionRef& left, const ExpressionRef& right);
[[nodiscard]] ExpressionRef larger(const ExpressionRef& left, const ExpressionRef& right);

/// With `index` for the variable of the loop; of statements, those within loops as well.
[[nodiscard]] ExpressionRef at_index(const ExpressionRef& e, LoopId loop, const ExpressionRef& index);
[[nodiscard]] Statements at_index(const Statements& body, LoopId loop, const ExpressionRef& index);

}  // namespace kasc::rewriting
