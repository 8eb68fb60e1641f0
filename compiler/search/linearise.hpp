#pragma once
// The order in which a kernel executes its calls.

#include <vector>

#include "graph/graph.hpp"

namespace kasc {

/// Calls up to which the order is exact; above, a greedy order. 2^12 sets take about a millisecond, which thousands of
/// fusions may ask for.
constexpr std::size_t largest_exact_order = 12;

/// A topological order of the calls with the least peak of live words; among those the first by id. A value lives from
/// the call that produces it, or that reads it first, to the last call of the set that reads it. `words` by value.
[[nodiscard]] std::vector<NodeId> linearise(const Graph& graph, std::vector<NodeId> calls,
                                            const std::vector<int>& words);

/// Words of every value of the graph, an element of a stream; of a field 1.
[[nodiscard]] std::vector<int> value_words(const Program& program, const Graph& graph, const Library& library);

}  // namespace kasc
