#pragma once
// What a plan has outside its loops, for a program that differs from the plan's within loops alone: kernels hold no
// loop that the host runs, so that what was searched is searched.

#include <optional>

#include "plan/planned_graph.hpp"

namespace kasc {

/// The kernels of the plan, and every call by itself, as fusions of the other graph. None: all fusions of the plan's
/// graph were looked at, which is as soon done again; outside loops they are not the same calls; or some loop of the
/// plan runs in a kernel.
[[nodiscard]] std::optional<FusionSpace> taken_over(const Graph& graph, const PlannedGraph& plan);
/// Says of a space with these fusions what is known of the plan's, with what the loops of the other graph take.
void take_over_bound(CostedSpace& costed, const PlannedGraph& plan);

}  // namespace kasc
