#pragma once
// Finds the values that lie in memory in rows that are a multiple of some cells long: half spectra have odd rows, of
// which neither beginnings nor ends are at those of sectors.

#include <set>

#include "plan/planned_graph.hpp"

namespace kasc {

/// Fields over half spectra that kernels which transform lines read, in this graph and in loops of it, and nobody else
/// sees: what such kernels make, and what others make cell by cell, as factors that all iterations of a loop take.
[[nodiscard]] std::set<ValueId> padded_values(const PlannedGraph& planned, const Program& program);

}  // namespace kasc
