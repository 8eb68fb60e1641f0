#pragma once
// Conditions that the interior of a grid settles: a cell three cells from either end has its neighbours on the grid.
//
//     x < 1 ? v : T[x - 1]                  →    T[x - 1]      where 1 <= x
//     x >= extent(x) - 1 ? v : T[x + 1]     →    T[x + 1]      where x < extent(x) - 1

#include <functional>
#include <optional>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// Cells stand at [low, extent - high) along an axis.
struct Standing {
    int low = 0, high = 0;
};
/// Where a value's cells stand along an axis of its statement; none: anywhere, as far as is known.
using StandingAlong = std::function<std::optional<Standing>(AxisId)>;

/// What the condition is at all cells that stand so: comparisons of a coordinate with a number, or with one from the
/// end of its axis, and what is both. None: it differs, or nothing is known.
[[nodiscard]] std::optional<bool> settled(const Expression& condition, const StandingAlong& standing);
/// What a conditional is at all such cells; null: it is none, or they differ.
[[nodiscard]] ExpressionRef only_branch(const Expression& e, const StandingAlong& standing);
/// By operand: some such cell may need it.
[[nodiscard]] std::vector<bool> needed_operands(const FieldStatement& statement, const StandingAlong& standing);
/// Some condition of the statement may be settled.
[[nodiscard]] bool may_be_settled(const FieldStatement& statement);

}  // namespace kasc
