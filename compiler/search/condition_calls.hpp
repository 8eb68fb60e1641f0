#pragma once
// Numbers that say whether something runs: a branch within an iteration, or the next iteration of a loop. The latter is
// stored when all of the iteration has been launched, whose kernels ask for the former one (plan/run_ahead); what a
// branch goes by is there before it. So no kernel makes both.

#include <set>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

struct ConditionCalls {
    std::set<NodeId> of_branches;    ///< that make what a loop or a branch of the graph goes by
    std::set<NodeId> of_iterations;  ///< that make what says whether a loop goes on
};
[[nodiscard]] ConditionCalls find_condition_calls(const Program& program, const Graph& graph);

/// No where one of the calls says whether a branch runs, and the other whether the loop around it goes on.
[[nodiscard]] Verdict asked_alike(const ConditionCalls& calls, NodeId first, NodeId second);

}  // namespace kasc
