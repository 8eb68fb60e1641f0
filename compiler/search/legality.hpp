#pragma once
// Whether calls may stand in one kernel, apart from convexity: pair by pair, and for recomputation set by set.

#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"
#include "search/fusion_space.hpp"
#include "search/prologue.hpp"

namespace kasc {

/// Recomputation that a kernel may take on, floating-point operations a cell. An H100 does 22 fp32 operations in the
/// time in which it copies one byte (devices/h100.json: 132 · 256 · 1.755 GHz / 3030 GB/s = 19.6, 22 at boost), so that
/// a field neither written nor read again (8 bytes) pays for about 180. Three times that: above it, no model can like
/// it; below it, the model decides.
constexpr long long most_recomputed_operations = 600;
/// Near reads in a row inside one kernel: each multiplies the evaluations by the offsets of the next.
constexpr int deepest_near_chain = 2;
/// The same where all of them are along one axis: evaluations grow by the reach of each, and cells of a thread beside
/// each other share most. Twelve steps of a loop (rewrite/several_steps), and what stands around them.
constexpr int deepest_chain_along_one_axis = 14;

/// No kernel has more calls than the search is bound to.
[[nodiscard]] Verdict within_bound(std::size_t calls, const SearchBounds& bounds);

/// Values that a call reads from memory or from another call of its kernel: all it reads, except that a slice leaves
/// the former value where it is.
[[nodiscard]] std::vector<ValueId> values_read(const Graph& graph, NodeId node);

/// May a call behind a transform be computed cell by cell, as the library stores the transform's result?
[[nodiscard]] Verdict computed_as_stored(const Program& program, const Graph& graph, NodeId transform, NodeId call);

/// May two calls with no value between them stand in one kernel, as far as their axes say?
[[nodiscard]] Verdict may_share(const Program& program, const Graph& graph, NodeId first, NodeId second);

/// Both kinds: every value that `first` hands to `second`, or else may_share; and neither assigns in place of what the
/// other reads. What stands together in whole lines alone may need further calls (lines_complete). Requires first <
/// second; `roles`: find_call_roles.
[[nodiscard]] Verdict may_stand_together(const Program& program, const Graph& graph, const CallRoles& roles,
                                         NodeId first, NodeId second, const SearchBounds& bounds = {});

/// Each call assigns whole fields over the same two or three axes, cell by cell: one kernel may make them plane by
/// plane, each value once (schedule/pipeline).
[[nodiscard]] Verdict may_be_pipelined(const Program& program, const Graph& graph, const std::vector<NodeId>& calls);

/// What the near reads inside a set cost; `calls` in ascending order, every pair may stand together.
[[nodiscard]] Verdict bounded_recomputation(const Program& program, const Graph& graph,
                                            const std::vector<NodeId>& calls);

}  // namespace kasc
