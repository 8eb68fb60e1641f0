#pragma once
// Covering calls one after the other: what beam and random share.

#include <map>
#include <vector>

#include "select/selection.hpp"

namespace kasc {

/// One way to cover a call or loop: a candidate, or a loop that the host runs.
struct Cover {
    std::optional<std::size_t> candidate;  ///< none: the host runs the loop
    std::vector<NodeId> nodes;             ///< sorted
    double time_ns = 0;
};

/// By call or loop: the covers of which it is the first node, in the order of the candidates.
[[nodiscard]] std::map<NodeId, std::vector<Cover>> covers_by_first(const CostedSpace& costed);

/// The nodes that a selection covers, in order: all calls, and the loops, each by a candidate or by the host.
[[nodiscard]] std::vector<NodeId> nodes_to_cover(const Graph& graph, const CostedSpace& costed);

}  // namespace kasc
