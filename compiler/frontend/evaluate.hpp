#pragma once
// The value of a uniform expression: parameters, extents, loop bounds. Whoever evaluates more than that (fields,
// derivatives) takes the meaning of the operators from here.

#include <map>
#include <vector>

#include "foundation/cell_type.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// Requires: the expression reads parameters that `parameters` has. A loop variable that `loop_indices` lacks and an
/// extent that `extents` (by axis) lacks are 0, operands and coordinates are NaN. Integers are truncated towards zero,
/// as in C; what has no value (1/0, log(-1)) is infinite or NaN. `precision`: of its reals, each operation rounded to
/// it as in a statement.
[[nodiscard]] double evaluate(const Expression& expression, const std::vector<double>& parameters,
                              const std::map<LoopId, double>& loop_indices = {},
                              const std::vector<long long>& extents = {}, Precision precision = Precision::dual);

/// The value of an integer that is the same for all cells: its reals are of precision_in_integer.
[[nodiscard]] double evaluate_integer(const Expression& expression, const Program& program,
                                      const std::vector<double>& parameters,
                                      const std::map<LoopId, double>& loop_indices = {},
                                      const std::vector<long long>& extents = {});

/// One operation. Comparisons and logic give 1 or 0; operators on bits are of 32 bits.
[[nodiscard]] double apply(UnaryOperator op, double operand);
[[nodiscard]] double apply(BinaryOperator op, double left, double right);
/// `second` counts for intrinsics of two arguments only.
[[nodiscard]] double apply(Intrinsic intrinsic, double first, double second, Precision precision = Precision::dual);

}  // namespace kasc
