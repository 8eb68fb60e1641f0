#pragma once
// The graph with each chosen fusion contracted to one vertex. Every fusion is convex, and yet two of them may wait for
// each other; this is where that is found.

#include <vector>

#include "select/selection.hpp"

namespace kasc {

struct Contraction {
    std::vector<Launch> order;                     ///< empty where there is a cycle
    std::vector<std::vector<std::size_t>> cycles;  ///< candidates that wait for each other, sorted
};

/// A call of one fusion that waits for a call of another.
struct Wait {
    NodeId before, after;
};

/// Calls that no candidate covers stand for themselves and have no launch.
[[nodiscard]] Contraction contract(const Graph& graph, const CostedSpace& costed,
                                   const std::vector<std::size_t>& candidates);

/// The shortest way around among candidates that wait for each other: for each of its candidates, in order, the waits
/// from it to the next one, sorted; none where it leads through what is no candidate.
[[nodiscard]] std::vector<std::vector<Wait>> shortest_way_around(const Graph& graph, const CostedSpace& costed,
                                                                 const std::vector<std::size_t>& cycle);

}  // namespace kasc
