#pragma once
// How good a strategy's selection was after how much work.

#include <vector>

#include "select/selection.hpp"

namespace kasc {

struct Progress {
    std::size_t schedules = 0;  ///< that were priced
    double selected_ns = 0;     ///< of what the strategy selects of the fusions that are priced by then
    double best_ns = 0;         ///< the least of that so far
};

/// A few points: where every call has a price for the first time, then at twice as many schedules again and again,
/// where the space is priced, and at the end. `selected_ns`: of the selection that was made there.
[[nodiscard]] std::vector<Progress> progress_of(const Graph& graph, const CostedSpace& costed, const Strategy& strategy,
                                                double selected_ns);

}  // namespace kasc
