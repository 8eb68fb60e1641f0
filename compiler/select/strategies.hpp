#pragma once
// The strategies, each in a source of its own.

#include "select/selection.hpp"

namespace kasc {

[[nodiscard]] std::unique_ptr<Strategy> make_exact();
[[nodiscard]] std::unique_ptr<Strategy> make_greedy();
[[nodiscard]] std::unique_ptr<Strategy> make_none();
[[nodiscard]] std::unique_ptr<Strategy> make_beam();
[[nodiscard]] std::unique_ptr<Strategy> make_random(unsigned seed);

/// Calls of the graph: what a selection has to cover. A loop that no candidate covers is run by the host.
[[nodiscard]] std::vector<NodeId> calls_to_cover(const Graph& graph);
/// The candidates in an order of launches, with their total time. Requires: they can be launched.
[[nodiscard]] Selection make_selection(const Graph& graph, const CostedSpace& costed,
                                       const std::vector<std::size_t>& candidates, std::string strategy,
                                       std::string bound);

/// What is known of the distance to the best of all selections; empty: nothing.
[[nodiscard]] std::string distance_text(const CostedSpace& costed, double time_ns);

}  // namespace kasc
