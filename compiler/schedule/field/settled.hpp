#pragma once
// Conditions that the interior of a grid settles: a cell three cells from either end has its neighbours on the grid.
//
//     x < 1 ? v : T[x - 1]                  →    T[x - 1]      where 1 <= x
//     x >= extent(x) - 1 ? v : T[x + 1]     →    T[x + 1]      where x < extent(x) - 1

#include <cstdint>
#include <functional>
#include <map>
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
/// Some condition of the statement may be settled.
[[nodiscard]] bool may_be_settled(const FieldStatement& statement);

/// Which operands cells need, by where they stand. It depends on what is settled there alone, of which there is little:
/// so the statement is followed once for each.
class NeededOperands {
public:
    /// The statement must outlive it.
    explicit NeededOperands(const FieldStatement& statement);
    /// All cells may need all.
    [[nodiscard]] bool are_all() const { return conditions_.empty(); }
    /// By operand: some cell that stands so may need it.
    [[nodiscard]] const std::vector<bool>& at(const StandingAlong& standing);

private:
    const FieldStatement* statement_;
    std::vector<const Expression*> conditions_;                    ///< that may be settled
    std::map<std::vector<std::int8_t>, std::vector<bool>> known_;  ///< by condition: -1 it differs, 0, 1
};

}  // namespace kasc
