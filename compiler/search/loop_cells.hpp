#pragma once
// A loop over fields that a kernel runs in each cell (Loop::inside), with calls before and behind it in the same
// thread.
//
//   h = seed*31 + key[x]       before: a register has h as the loop begins
//   for (…) { h = mix(h); }
//   r = h % 256                behind: the loop's h is in no memory

#include <optional>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// The node is a loop that a kernel may run in each cell, or a block for whole lines.
[[nodiscard]] bool is_loop_of_cells(const Program& program, const Graph& graph, NodeId node);
/// Cells of such a loop look at each other, so that blocks have whole lines.
[[nodiscard]] bool runs_lines(const Program& program, const Graph& graph, NodeId loop);

/// The loop that a kernel of these nodes runs.
[[nodiscard]] std::optional<NodeId> loop_among(const Graph& graph, const std::vector<NodeId>& nodes);

/// Whether a call stands in the kernel of such a loop: it assigns a field over the loop's cells, each by its own value,
/// and what the two hand each other is a word of the cell. None: neither node is one. Requires first < second.
[[nodiscard]] std::optional<Verdict> share_loop(const Program& program, const Graph& graph, NodeId first,
                                                NodeId second);

}  // namespace kasc
