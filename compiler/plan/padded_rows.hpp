#pragma once
// Which values lie in memory in rows that are a multiple of some cells long: half spectra have odd rows, of which
// neither beginnings nor ends are at those of sectors.

#include <set>

#include "plan/planned_graph.hpp"

namespace kasc {

/// Half spectra that kernels which transform lines hand each other, and nobody else sees.
[[nodiscard]] std::set<ValueId> padded_values(const PlannedGraph& planned, const Program& program);

}  // namespace kasc
