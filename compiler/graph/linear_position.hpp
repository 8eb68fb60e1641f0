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

}  // namespace kasc
