#pragma once
// Fusions of the steps of a loop that stand behind each other in its body, where it is known which kernels one step is
// best made of: what these kernels compute stays together. A kernel has such units in a row, of one step or of several.
// Units that no pipeline can have, recordings, are passed over: a kernel has those of one step, or of several. Where
// all steps have few calls, each call is a unit: six fields of a half step and its other half, one and a half steps a
// kernel.
//
//   one step   {lap, u} {v}            two steps   units {lap.0, u.1} {v.1} {lap.1, u.2} {v.2}: ten runs of them
//
// Without it, each step would be taken apart in all ways again, and all steps together: n steps have n times the calls.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "search/set_rules.hpp"

namespace kasc {

/// By a statement's place in the text, of each of the calls that it is in one step the kernel that has it.
using StepKernels = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>>;

/// `kernels`: the calls of each kernel of the graph.
[[nodiscard]] StepKernels step_kernels(const Graph& graph, const std::vector<std::vector<NodeId>>& kernels);

/// None: the graph is not made of such steps.
[[nodiscard]] std::optional<FusionSpace> fusions_of_steps(const Program& program, const Graph& graph,
                                                          const SetRules& rules, const StepKernels& step);

}  // namespace kasc
