#pragma once
// Positions that go along an axis with the iterations of a loop.

#include <map>
#include <optional>
#include <string>

#include "frontend/program.hpp"

namespace kasc {

/// coefficient · n + the sum of the terms + constant, n the loop's variable; terms are texts without it, each with its
/// factor.
///   2*n + nz - 1       2 · n, {nz: 1}, -1
struct LinearPosition {
    long long coefficient = 0;
    std::map<std::string, long long> terms;
    long long constant = 0;

    bool operator==(const LinearPosition&) const = default;
    /// In the iteration before.
    [[nodiscard]] LinearPosition before() const { return {coefficient, terms, constant - coefficient}; }
};

/// None: it is no such sum of the loop's variable. Requires: the position is uniform and an integer.
[[nodiscard]] std::optional<LinearPosition> linear_position(const Expression& position, LoopId loop,
                                                            const Program& program);

/// The same in all iterations of a loop from `from` to before `to` but, perhaps, the first one: `max(n - 1, 0)` is n -
/// 1 behind iteration 0.
[[nodiscard]] std::optional<LinearPosition> position_behind_first(const Expression& position, LoopId loop,
                                                                  const ExpressionRef& from, const ExpressionRef& to,
                                                                  const Program& program);

/// The least and the largest position in iterations `first` to `last`, as expressions without the loop's variable.
/// None: it goes neither with the iterations nor against them, and is no remainder of a number that does. Requires: the
/// position is uniform and an integer. Where remainders of negative numbers are taken, `low` is negative.
struct PositionRange {
    ExpressionRef low, high;
};
[[nodiscard]] std::optional<PositionRange> position_range(const ExpressionRef& position, LoopId loop,
                                                          const ExpressionRef& first, const ExpressionRef& last);

}  // namespace kasc
