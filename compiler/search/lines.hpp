#pragma once
// Calls that a block can compute line by line. A block that has all cells of a line, along one axis, completes the sums
// over it and goes through its cells once more with them. A line along the first axis in memory is a row, along another
// one a column:
//
//   a_parts[row, part] = fold a over column       part
//   mean[row]          = fold a_parts over part   join
//   deviation[row]     = sqrt(…mean…)             word
//   b[column, row]     = (a - mean)/deviation     cell
//   c_parts[column, p] = fold b over row          part, of columns: across these lines
//
// A block that goes through all rows of such a part has sums across its lines, cell by cell, when it is through.

#include <optional>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// What a call makes of a line.
///   part  of the line's cells, one word a part of it
///   join  of these, one word a line
///   word  of joins and other words of the line, one word a line
enum class LineRole { part, join, word };
struct LineCall {
    LineRole role;
    AxisId along;  ///< the axis whose cells are a line
    /// Further ones, as they follow in memory: a line is a plane, or a volume, whose cells are counted through all.
    std::vector<AxisId> further;
    AxisId parts;              ///< of a part and a join: that of the parts
    std::vector<AxisId> kept;  ///< the other axes of the cells, sorted: by these a line is known
    /// Fold::chained: blocks have tiles of results, not lines of cells, and complete them.
    bool chained = false;
    std::vector<NodeId> joined_by{};  ///< of a part: all that read it, asked for by each set that is looked at
};
/// By node; none: the call is no part, join or word of lines.
using LineCalls = std::vector<std::optional<LineCall>>;
[[nodiscard]] LineCalls find_line_calls(const Program& program, const Graph& graph);

/// The call folds the cells of these lines, which are rows, across them: lines follow each other, cells stand side by
/// side.
[[nodiscard]] bool folds_across(const Program& program, const FieldUpdate& update, const LineCall& line);

/// Two calls that may stand in one kernel only where its blocks have whole lines; none: the pair is no matter of lines.
/// Requires: first < second.
[[nodiscard]] std::optional<Verdict> share_lines(const Program& program, const Graph& graph, const LineCalls& lines,
                                                 NodeId first, NodeId second);

/// The kernel's blocks have whole lines: it joins parts that it folds. `calls` in any order.
[[nodiscard]] bool has_lines(const LineCalls& lines, const std::vector<NodeId>& calls);
/// The kernel folds parts in chains: its blocks may have tiles of results.
[[nodiscard]] bool folds_chained(const LineCalls& lines, const std::vector<NodeId>& calls);
/// Whether a kernel can have these calls as they are; no, with the reason, where what it joins or folds in parts is
/// folded or joined by others: with them it may. Requires: every pair may stand together.
[[nodiscard]] Verdict lines_complete(const Program& program, const Graph& graph, const LineCalls& lines,
                                     const std::vector<NodeId>& calls);

}  // namespace kasc
