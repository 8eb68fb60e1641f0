#pragma once
// What may stand in one kernel where ranks of their own memory share its blocks: it must be known of each block which
// words it stores (kernel::BlockSpan), and each rank needs what its own blocks read alone.

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"
#include "search/prologue.hpp"

namespace kasc {

/// Whether a pair of calls may, in any order.
///
///   p = p + q                 p[x = 7, y = 8, z = 9] += …   no: one of the blocks along z stores the cell
///   p = p + q                 rows[x, z] = p[y = 3]         yes: each block along z has its part of the row
///   rr = sum of rr_parts      p = r + rr * p                no: a prologue, all parts would go to all ranks
[[nodiscard]] Verdict have_own_cells(const Program& program, const Graph& graph, const PrologueRoles& roles,
                                     NodeId first, NodeId second);

/// The absolute position of an axis in a list of indices over `axes`; null: none.
[[nodiscard]] ExpressionRef position_along(const std::vector<AxisId>& axes, const std::vector<AxisIndex>& indices,
                                           AxisId axis);

}  // namespace kasc
