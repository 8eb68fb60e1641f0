#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/field/plan.hpp"
#include "schedule/field/walk_parts.hpp"

namespace kasc {

/// Fields that lie in memory as `axis c = 16; float u[c, x, y];` in a kernel over x and y: all words of a cell beside
/// each other, and the cells of a row behind each other. Those of which every word is read at the cell itself, or is
/// stored at every cell.
[[nodiscard]] std::vector<StagedField> staged_fields(const FieldPlan& plan, const Program& program, const Graph& graph);
/// The word of a cell at such indices of a field, where they say numbers and all else is the cell's own; none: they do
/// not.
[[nodiscard]] std::optional<int> word_of_cell(const std::vector<FieldIndex>& indices, const FieldShape& shape,
                                              const Program& program);
/// Why there are none; empty: there are.
[[nodiscard]] std::string staged_fault(const FieldPlan& plan, const Program& program, const Graph& graph);

}  // namespace kasc
