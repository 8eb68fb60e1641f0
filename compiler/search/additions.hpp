#pragma once

#include <optional>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// Threads add entries by themselves: to their cells in any order, or each to words of its own, of a piece of the list.
[[nodiscard]] bool adds_entries(const Program& program, const FieldStatement& statement);
/// Where entries of one of two calls on fields are added so: no where the other is not computed at each entry, once, or
/// makes or needs what they add to.
[[nodiscard]] Verdict no_addition_apart(const Program& program, const Graph& graph, NodeId first, NodeId second);
/// Where one of two calls sums up along an ordered list (Adding): yes where both go through the entries of the same
/// cells, as the words of a vector do. None: neither does.
[[nodiscard]] std::optional<Verdict> share_ordered_list(const Program& program, const Graph& graph, NodeId first,
                                                        NodeId second);

}  // namespace kasc
