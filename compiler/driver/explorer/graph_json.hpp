#pragma once
// Parts of the page's data, by graph.

#include "driver/explorer/plan_view.hpp"
#include "driver/json_parts.hpp"
#include "search/plan_wish.hpp"

namespace kasc::explorer {

/// Nodes with their places, inputs among them, and edges with the values that pass.
[[nodiscard]] Json graph_json(const Compilation& compilation, const PlanView& view, std::size_t graph,
                              const std::vector<NamedCall>& names);
/// Sets of calls, each candidate of one with its prediction, and sets that no kernel can have. The best candidates of
/// each set come first into what is kept: `most` rows. Requires: the host runs the graph.
[[nodiscard]] Json candidates_json(const PlanView& view, std::size_t graph, const std::vector<NamedCall>& names,
                                   std::size_t most);

}  // namespace kasc::explorer
