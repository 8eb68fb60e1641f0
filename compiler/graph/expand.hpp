#pragma once
// Loops as a kernel runs them: the calls of a loop's body beside the graph's own, in one graph with one set of ids.

#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// Loops in one kernel, nested ones included: what checks a kernel runs it with loops skipped and repeated, in
/// combination.
constexpr std::size_t most_inner_loops = 4;

/// Whether a kernel can run this loop: its body, to any depth, is elementary calls on streams.
[[nodiscard]] Verdict may_run_inside(const Graph& graph, NodeId loop);
/// The same of those of two nodes that are loops.
[[nodiscard]] Verdict may_run_inside(const Graph& graph, NodeId first, NodeId second);

/// Adds the value of another graph: its version goes on behind those that the variable has.
ValueId add_next_version(Table<ValueId, Value>& values, const Value& value, std::optional<NodeId> producer);

/// The graph, with the calls, loops and values inside of its loops added behind its own nodes and values, which keep
/// their ids. What runs in a loop is reached through `inner` alone: the added nodes stand in no order with the graph's
/// own. A body's captured values are the outer ones; what enters an iteration is the loop's result, whose place the
/// initial value takes before the loop and the leaving value after each iteration:
///
///     for (i = 0; i < n; i++) { A = mmul33(A, B); }      enter A.0 -> A.1    body A.2 = mmul33(A.1, B)    repeat A.2
///     -> A.1
///
/// Loops that no kernel can run stay as they are.
[[nodiscard]] Graph expand_loops(const Graph& graph);

/// The elementary calls of some nodes of an expanded graph in the order of execution, those inside of loops included.
[[nodiscard]] std::vector<NodeId> functions_of(const Graph& expanded, const std::vector<NodeId>& nodes);

}  // namespace kasc
