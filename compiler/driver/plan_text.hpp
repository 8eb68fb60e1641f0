#pragma once

#include <string>
#include <vector>

#include "driver/compilation.hpp"

namespace kasc {

/// A plan as --plan takes it (docs/plans.md), all words written: equal texts for one program, library and sizes mean
/// equal plans.
///     L+T+T.2: column 32x4 vector 4 rows 2 chunk 8 unroll 1 neighbours registers borders cell; probe: grid …
[[nodiscard]] std::string plan_text(const Compilation& compilation, const PlannedGraph& plan);
/// "L+T+T.2": what such a plan calls a kernel of these calls.
[[nodiscard]] std::string plan_calls(const std::vector<NamedCall>& names, const Graph* graph,
                                     std::vector<NodeId> calls);
/// The same of one kernel. `graph`: the program's own graph that `planned` was made of.
[[nodiscard]] std::string kernel_plan(const std::vector<NamedCall>& names, const Graph* graph,
                                      const Candidate& candidate);

/// Kernels in the order of their numbers. `graph`: of the program.
[[nodiscard]] std::vector<PlannedCalls> planned_calls(const Graph& graph, const PlannedGraph& plan);

}  // namespace kasc
