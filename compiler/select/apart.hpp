#pragma once
// Graphs of which every candidate is of one call, or one loop: too large to be searched, or not to be fused. Nothing is
// to be partitioned then, each call takes its best.

#include "select/selection.hpp"

namespace kasc {

[[nodiscard]] bool stands_apart(const CostedSpace& costed);

/// The best selections, best first, at most `count`. Requires: all stand apart.
[[nodiscard]] std::vector<std::vector<std::size_t>> best_apart(const Graph& graph, const CostedSpace& costed,
                                                               std::size_t count);

}  // namespace kasc
