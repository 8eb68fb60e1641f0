#pragma once
// Counts the part of a field that the calls of a kernel read, as their indices say.

#include <vector>

#include "graph/graph.hpp"
#include "model/prediction.hpp"
#include "schedule/field/plan.hpp"

namespace kasc::model {

/// Words (cells) of a value that calls of a kernel over `axes` read, each once: along the kernel's axes all, at a
/// uniform position one layer for each of them, at positions that cells compute a word a cell.
///   T[x = 0] and T[x = 5] in a kernel over y: two columns; T[x = px, y = py] in one over a list: a word an entry
[[nodiscard]] double words_read(ValueId value, const std::vector<NodeId>& calls, const std::vector<AxisId>& axes,
                                const Program& program, const Graph& graph, const Problem& problem);
/// Words that all cells of a kernel touch at such indices, each once: `extents` by axis of the kernel.
[[nodiscard]] double words_touched(const std::vector<FieldIndex>& indices, const std::vector<double>& extents);
/// Bytes of a cell of a field's value.
[[nodiscard]] double bytes_of_cell(ValueId value, const Program& program, const Graph& graph);

}  // namespace kasc::model
