#pragma once
// Sums and products as lists of their parts.

#include <vector>

#include "frontend/expression.hpp"

namespace kasc::rewriting {

/// `left op right`; complex where one of them is.
[[nodiscard]] ExpressionRef binary(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right);
/// Their product; null stands for 1.
[[nodiscard]] ExpressionRef product(const ExpressionRef& left, const ExpressionRef& right);

struct Summand {
    ExpressionRef value;
    bool negative = false;
};
/// a - (b + c): a, -b, -c. An expression that is no sum is one summand.
[[nodiscard]] std::vector<Summand> summands(const ExpressionRef& e);
/// From left to right. Requires: at least one.
[[nodiscard]] ExpressionRef sum(const std::vector<Summand>& summands);

/// Real, and the same in all cells: it may move into a transform and out of it. A complex one may not where one side
/// is real: of i F(u) the way back to reals leaves nothing.
[[nodiscard]] bool is_scalar(const Expression& e);

struct Factor {
    ExpressionRef value;
    bool divides = false;
};
/// a * (b / c): a, b, 1/c. An expression that is no product is one factor.
[[nodiscard]] std::vector<Factor> factors(const ExpressionRef& e);
/// From left to right; null for none.
[[nodiscard]] ExpressionRef product(const std::vector<Factor>& factors);

}  // namespace kasc::rewriting
