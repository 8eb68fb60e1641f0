#pragma once
// Launches contract calls: two fusions, each fine alone, may wait for each other.

#include <optional>

#include "select/selection.hpp"

namespace kasc {

/// An order in which each launch follows those that make what it reads; none where launches wait for each other in a
/// circle, and then `circle` holds candidates of the circle.
struct LaunchOrder {
    std::optional<std::vector<Launch>> launches;
    std::vector<std::size_t> circle;
};
[[nodiscard]] LaunchOrder try_launch_order(const Graph& graph, const CostedSpace& costed,
                                           const std::vector<std::size_t>& candidates);

}  // namespace kasc
