#pragma once
// The value of a uniform expression, in double precision: parameters, extents, loop bounds. Whoever evaluates more than
// that (fields, derivatives) takes the meaning of the operators from here.

#include <map>
#include <vector>

#include "frontend/expression.hpp"

namespace kasc {

/// Requires: the expression reads parameters that `parameters` has. A loop variable that `loop_indices` lacks and an
/// extent that `extents` (by axis) lacks are 0, operands and coordinates are NaN. Integers are truncated towards zero,
/// as in C; what has no value (1/0, log(-1)) is infinite or NaN.
[[nodiscard]] double evaluate(const Expression& expression, const std::vector<double>& parameters,
                              const std::map<LoopId, double>& loop_indices = {},
                              const std::vector<long long>& extents = {});

/// One operation. Comparisons and logic give 1 or 0.
[[nodiscard]] double apply(UnaryOperator op, double operand);
[[nodiscard]] double apply(BinaryOperator op, double left, double right);
/// `second` counts for intrinsics of two arguments only.
[[nodiscard]] double apply(Intrinsic intrinsic, double first, double second);

}  // namespace kasc
