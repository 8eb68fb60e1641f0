#pragma once

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// Where entries of one of two calls on fields add in any order: no where the other is not computed at each entry,
/// once, or makes or needs what they add to.
[[nodiscard]] Verdict no_addition_apart(const Program& program, const Graph& graph, NodeId first, NodeId second);

}  // namespace kasc
