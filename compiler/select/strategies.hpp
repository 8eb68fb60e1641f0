#pragma once
// What the strategies share.

#include "select/strategy_list.hpp"

namespace kasc {

/// Calls of the graph: what a selection has to cover. A loop that no candidate covers is run by the host.
[[nodiscard]] std::vector<NodeId> calls_to_cover(const Graph& graph);
/// The candidates in an order of launches, with their total time. Requires: they can be launched.
[[nodiscard]] Selection make_selection(const Graph& graph, const CostedSpace& costed,
                                       const std::vector<std::size_t>& candidates, std::string strategy,
                                       std::string bound);

/// By candidate: which of two comes first where nothing else tells them apart. Without a seed the one with the lower
/// number; with one, fusions in an order that is drawn.
[[nodiscard]] std::vector<std::size_t> tie_ranks(const CostedSpace& costed, Seed seed);
/// Times that differ by rounding alone are alike.
[[nodiscard]] double whole_ps(double time_ns);

/// What a bound is said of, behind a noun: " of the schedules that are tried"; empty: of all there is.
[[nodiscard]] std::string what_is_tried(bool in_part, bool in_units);
/// What is known of the distance to the best of all selections; empty: nothing.
[[nodiscard]] std::string distance_text(const CostedSpace& costed, double time_ns);

}  // namespace kasc
