#pragma once
// What a strategy selects is priced once more, with more choices.

#include "select/costing.hpp"
#include "select/selection.hpp"

namespace kasc {

/// The same for every strategy: of the fusions that it selects, those that were priced by some of their choices get a
/// share of some more schedules (CostOptions); then it selects anew. What it selects at last: none where no set
/// of candidates covers the calls.
[[nodiscard]] std::optional<Selection> refine(const Graph& graph, Costing& costing, const Strategy& strategy);

}  // namespace kasc
