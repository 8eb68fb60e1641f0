#pragma once
// What lies a step beside a selection: one unit stands in another of its sets.

#include <vector>

#include "search/connections.hpp"
#include "search/units.hpp"
#include "select/promising_sets.hpp"

namespace kasc {

struct UnitMove {
    double least_ns = 0;  ///< by which it is slower, as far as least times go; negative: faster
    std::size_t from = 0, to = 0;
    NodeSet without, with;  ///< what these sets are then
};

/// All moves of a unit into a set beside which it stands, that leave something behind, those first that save most as
/// far as least times go. They need not be legal.
[[nodiscard]] std::vector<UnitMove> unit_moves(const std::vector<NodeSet>& selection, const Units& units,
                                               const Connections& connections, PromisingSets& sets);

}  // namespace kasc
