#pragma once
// Finds the rows of a series that a position means, seen from the iteration of a loop.

#include <optional>

#include "frontend/expression.hpp"

namespace kasc {

/// Iteration n uses rows n + low to n + high, moved onto the series where they lie beyond its ends.
struct NearRows {
    LoopId loop;
    int low = 0, high = 0;
    bool to_last = false;  ///< a condition holds some iterations on the last row
};

/// n, n + 2, n > 0 ? n - 1 : 0: rows at a constant distance, and the first or the last where a condition of n holds
/// them on the series. None: rows elsewhere. `axis`: along which they lie.
[[nodiscard]] std::optional<NearRows> near_rows(const Expression& position, AxisId axis);

}  // namespace kasc
