#include "search/lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"

namespace kasc {

namespace {

std::vector<AxisId> sorted(std::vector<AxisId> axes) {
    std::sort(axes.begin(), axes.end());
    return axes;
}

const FieldUpdate* field_call(const Graph& graph, NodeId node) {
    return std::get_if<FieldUpdate>(&graph.nodes[node].what);
}

/// The parts are of some axes' cells, not of all (frontend/reduction).
bool are_of_lines(const Parts& parts) {
    const bool lines = parts.cells == row_part_cells || parts.cells == column_part_cells;
    return lines && !parts.most.has_value() && !parts.chained;
}

std::vector<AxisId> behind_first(const std::vector<AxisId>& axes) { return {axes.begin() + 1, axes.end()}; }

/// What is read and assigned lies along all axes of a line as they follow each other, at the cell itself, or along none
/// of them, and nothing asks where along them it is: the number of a cell says where it lies.
bool lies_along(const Program& program, const FieldUpdate& update, const std::vector<AxisId>& line) {
    const auto of_line = [&](AxisId axis) { return std::find(line.begin(), line.end(), axis) != line.end(); };
    const auto lies = [&](const std::vector<AxisId>& axes) {
        const auto first = std::find_if(axes.begin(), axes.end(), of_line);
        if (first == axes.end()) return true;
        return static_cast<std::size_t>(axes.end() - first) >= line.size() &&
               std::equal(line.begin(), line.end(), first);
    };
    const auto at_cell = [](const AxisIndex& index) {
        const auto* offset = std::get_if<Offset>(&index);
        return offset != nullptr && offset->cells == 0;
    };
    const auto asks = [&](const Expression& e) {
        return std::any_of(line.begin(), line.end(), [&](AxisId axis) { return asks_for(e, axis); });
    };
    // Words that stand elsewhere are read at a place that is the same for all cells of the line.
    const auto fixed = [&](const AxisIndex& index) {
        const auto* computed = std::get_if<Computed>(&index);
        return computed == nullptr || !asks(*computed->position);
    };
    const FieldStatement& s = update.statement;
    if (asks(*s.value) || !lies(field_shape(program, s.target).axes)) return false;
    return std::all_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
        const auto& axes = field_shape(program, operand.variable).axes;
        if (std::all_of(operand.indices.begin(), operand.indices.end(), at_cell)) return lies(axes);
        return std::none_of(axes.begin(), axes.end(), of_line) &&
               std::all_of(operand.indices.begin(), operand.indices.end(), fixed);
    });
}

/// Every cell is assigned, by its own thread, of what that reads: not of what stands before it on a line.
bool is_plain_call(const FieldUpdate& update) {
    const FieldStatement& s = update.statement;
    return !update.former && !assigns_slice(s) && !updates_some_cells(s) && !s.running;
}

bool reads_points(const FieldUpdate& update) {
    return std::all_of(update.accesses.begin(), update.accesses.end(),
                       [](const Access& access) { return std::holds_alternative<PointAccess>(access); });
}

/// Some operand has a word of its own for each cell that is folded: a window's, of neighbours, unlike pairs.
bool reads_each_cell(const Program& program, const FieldStatement& statement) {
    const std::vector<AxisId> cells = cell_axes(program, statement);
    return std::any_of(statement.operands.begin(), statement.operands.end(), [&](const Operand& operand) {
        const std::vector<AxisId>& own = field_shape(program, operand.variable).axes;
        const auto differs_along = [&](AxisId axis) {
            for (std::size_t k = 0; k < own.size(); ++k) {
                const auto* computed = std::get_if<Computed>(&operand.indices[k]);
                if (computed ? asks_for(*computed->position, axis)
                             : own[k] == axis && std::holds_alternative<Offset>(operand.indices[k]))
                    return true;
            }
            return false;
        };
        return std::all_of(cells.begin(), cells.end(), differs_along);
    });
}

/// `folded`: what made the parts that a join reads.
std::optional<LineCall> of_fold(const Program& program, const FieldUpdate& update,
                                const std::optional<LineCall>& folded) {
    const Fold& fold = *update.statement.fold;
    const bool of_several = fold.axes.size() > 1;
    if (!is_plain_call(update) || fold.pieces) return std::nullopt;
    if (of_several && fold.chained && reads_each_cell(program, update.statement)) return std::nullopt;
    if (of_several && !fold.chained && !lies_along(program, update, fold.axes)) return std::nullopt;
    std::vector<AxisId> kept = sorted(free_axes(program, update.statement));
    for (const AxisId axis : fold.axes) std::erase(kept, axis);
    if (fold.parts) {
        const auto& parts = program.axes[*fold.parts].parts;
        if (!(parts && are_of_lines(*parts)) && !fold.chained) return std::nullopt;
        std::erase(kept, *fold.parts);
        if (kept.empty()) return std::nullopt;
        return LineCall{LineRole::part, fold.axes.front(), behind_first(fold.axes),
                        *fold.parts,    std::move(kept),   fold.chained};
    }
    const auto& parts = program.axes[fold.axes.front()].parts;
    const bool of_chain = parts && parts->chained && (parts->of.size() == 1 || folded);
    if (!parts || !(are_of_lines(*parts) || of_chain) || kept.empty()) return std::nullopt;
    return LineCall{LineRole::join,    parts->of.front(), behind_first(parts->of),
                    fold.axes.front(), std::move(kept),   parts->chained};
}

/// A word of the lines of what it reads.
std::optional<LineCall> of_words(const Program& program, const Graph& graph, const LineCalls& lines, NodeId node) {
    const FieldUpdate& update = *field_call(graph, node);
    if (!is_plain_call(update) || !reads_points(update)) return std::nullopt;
    const std::vector<AxisId> axes = sorted(free_axes(program, update.statement));
    // What needs words of its line is a cell of that line, whatever it is besides.
    const bool of_line = std::any_of(graph.nodes[node].reads.begin(), graph.nodes[node].reads.end(), [&](ValueId read) {
        const auto producer = graph.values[read].producer;
        const auto& by = producer ? lines[producer->index] : std::nullopt;
        return by && by->role != LineRole::part && !by->chained && by->kept != axes;
    });
    if (of_line) return std::nullopt;
    for (const ValueId read : graph.nodes[node].reads) {
        const auto producer = graph.values[read].producer;
        if (!producer || !lines[producer->index] || lines[producer->index]->role == LineRole::part) continue;
        const LineCall& of = *lines[producer->index];
        if (of.kept == axes) return LineCall{LineRole::word, of.along, of.further, of.parts, axes, of.chained};
    }
    return std::nullopt;
}

bool is_word_of_line(const std::optional<LineCall>& call) { return call && call->role != LineRole::part; }

bool reads(const Graph& graph, NodeId reader, NodeId producer) {
    const auto& read = graph.nodes[reader].reads;
    return std::any_of(read.begin(), read.end(), [&](ValueId v) { return graph.values[v].producer == producer; });
}

/// What the second reads of the first it reads at its own line.
bool reads_own_line(const Graph& graph, NodeId first, NodeId second) {
    const FieldUpdate& update = *field_call(graph, second);
    for (std::size_t i = 0; i < update.accesses.size(); ++i) {
        const bool made = graph.values[graph.nodes[second].reads[i]].producer == first;
        if (made && !std::holds_alternative<PointAccess>(update.accesses[i])) return false;
    }
    return true;
}

/// Calls over the cells of these lines, each computed by itself.
bool is_over_cells(const Program& program, const FieldUpdate& update, const LineCall& line) {
    if (update.statement.fold || !is_plain_call(update)) return false;
    std::vector<AxisId> axes{line.along}, cells = line.kept;
    axes.insert(axes.end(), line.further.begin(), line.further.end());
    if (axes.size() > 1 && !lies_along(program, update, axes)) return false;
    cells.insert(cells.end(), axes.begin(), axes.end());
    return sorted(free_axes(program, update.statement)) == sorted(std::move(cells));
}

}  // namespace

LineCalls find_line_calls(const Program& program, const Graph& graph) {
    LineCalls lines(graph.nodes.size());
    for (const NodeId node : graph.nodes.ids()) {
        const FieldUpdate* update = field_call(graph, node);
        if (update == nullptr) continue;
        if (update->statement.fold) {
            const std::vector<ValueId>& reads = graph.nodes[node].reads;
            const auto made = reads.empty() ? std::nullopt : graph.values[reads.front()].producer;
            lines[node.index] = of_fold(program, *update, made ? lines[made->index] : std::nullopt);
        } else {
            lines[node.index] = of_words(program, graph, lines, node);
        }
    }
    for (const NodeId reader : graph.nodes.ids())
        for (const NodeId producer : predecessors(graph, reader))
            if (auto& line = lines[producer.index]; line && line->role == LineRole::part)
                line->joined_by.push_back(reader);
    return lines;
}

bool folds_across(const Program& program, const FieldUpdate& update, const LineCall& line) {
    const FieldStatement& s = update.statement;
    if (!s.fold || !s.fold->parts || !s.fold->side_by_side || s.fold->chained || s.fold->pieces) return false;
    const auto &own = program.axes[*s.fold->parts].parts, &of_line = program.axes[line.parts].parts;
    const bool rows = of_line && of_line->cells == row_part_cells && line.further.empty() && !line.chained;
    if (!rows || !own || !are_of_lines(*own) || !is_plain_call(update)) return false;
    std::vector<AxisId> axes = free_axes(program, s), cells = line.kept;
    std::erase(axes, *s.fold->parts);
    cells.push_back(line.along);
    const auto is_kept = [&](AxisId axis) { return std::binary_search(line.kept.begin(), line.kept.end(), axis); };
    return sorted(std::move(axes)) == sorted(std::move(cells)) &&
           std::all_of(s.fold->axes.begin(), s.fold->axes.end(), is_kept);
}

std::optional<Verdict> share_lines(const Program& program, const Graph& graph, const LineCalls& lines, NodeId first,
                                   NodeId second) {
    const auto &one = lines[first.index], &two = lines[second.index];
    if (!is_word_of_line(one) && !is_word_of_line(two)) return std::nullopt;
    for (const auto& [line, other] : {std::pair{&one, second}, std::pair{&two, first}}) {
        const FieldUpdate* update = field_call(graph, other);
        if (!is_word_of_line(*line) || update == nullptr || !folds_across(program, *update, **line)) continue;
        if (reads(graph, second, first) && !reads_own_line(graph, first, second)) return std::nullopt;
        return Verdict::yes(fmt::format("{} is folded across lines along {}",
                                        value_name(graph, program, graph.nodes[other].writes.front()),
                                        program.axes[(*line)->along].name));
    }
    const bool both = one && two;
    if (both && (one->along != two->along || one->further != two->further || one->kept != two->kept))
        return std::nullopt;
    if (both && one->role != LineRole::word && two->role != LineRole::word && one->parts != two->parts)
        return std::nullopt;
    const LineCall& line = is_word_of_line(one) ? *one : *two;
    if (!both && line.chained) return std::nullopt;
    const FieldUpdate* other = field_call(graph, is_word_of_line(one) ? second : first);
    if (!both && (other == nullptr || !is_over_cells(program, *other, line))) return std::nullopt;
    const std::string& along = program.axes[line.along].name;
    if (reads(graph, second, first)) {
        if (!reads_own_line(graph, first, second)) return std::nullopt;
        if (line.chained) return Verdict::yes("a block that has a tile of results completes them");
        if (one->role == LineRole::part) return Verdict::yes("a block that has whole lines joins their parts");
        return Verdict::yes(fmt::format("{} is complete where a block has whole lines along {}",
                                        value_name(graph, program, graph.nodes[first].writes.front()), along));
    }
    if (line.chained) return Verdict::yes(fmt::format("both are of the same results, folded along {}", along));
    return Verdict::yes(fmt::format("both are of the same lines along {}", along));
}

namespace {

template <class Is>
bool any_call(const LineCalls& lines, const std::vector<NodeId>& calls, const Is& is) {
    return std::any_of(calls.begin(), calls.end(),
                       [&](NodeId n) { return n.index < lines.size() && lines[n.index] && is(*lines[n.index]); });
}

bool is_part(const LineCall& call) { return call.role == LineRole::part; }

/// Rows and columns are those of a tile, but where columns are along several axes.
Verdict no_line_is_needed(const Program& program, const Graph& graph, const LineCalls& lines,
                          const std::vector<NodeId>& calls) {
    for (const NodeId row : calls) {
        if (!lines[row.index] || !is_part(*lines[row.index])) continue;
        for (const NodeId n : calls) {
            const FieldUpdate* update = field_call(graph, n);
            if (update != nullptr && folds_across(program, *update, *lines[row.index]) &&
                update->statement.fold->axes.size() > 1)
                return Verdict::no("rows, and sums across them along several axes, are for blocks of whole lines");
        }
    }
    return Verdict::yes("no call is of whole lines");
}

}  // namespace

bool has_lines(const LineCalls& lines, const std::vector<NodeId>& calls) {
    const auto is_join = [](const LineCall& call) { return call.role == LineRole::join; };
    return any_call(lines, calls, is_join) && any_call(lines, calls, is_part);
}

bool folds_chained(const LineCalls& lines, const std::vector<NodeId>& calls) {
    return any_call(lines, calls, [](const LineCall& call) { return is_part(call) && call.chained; });
}

Verdict lines_complete(const Program& program, const Graph& graph, const LineCalls& lines,
                       const std::vector<NodeId>& calls) {
    const auto word = [&](NodeId n) { return is_word_of_line(lines[n.index]); };
    if (std::none_of(calls.begin(), calls.end(), word)) return no_line_is_needed(program, graph, lines, calls);
    const auto role = [&](LineRole wanted) {
        return [&lines, wanted](NodeId n) { return lines[n.index] && lines[n.index]->role == wanted; };
    };
    // Results of one order side by side, or words of many lines: cells like any other.
    for (const LineRole alone : {LineRole::join, LineRole::word})
        if (std::all_of(calls.begin(), calls.end(), role(alone))) return Verdict::yes("each line is a cell");
    const auto inside = [&](NodeId n) { return std::find(calls.begin(), calls.end(), n) != calls.end(); };
    const auto join = std::find_if(calls.begin(), calls.end(), role(LineRole::join));
    bool joins = false;
    for (const NodeId n : calls) {
        if (join != calls.end() && folds_across(program, *field_call(graph, n), *lines[join->index])) continue;
        if (!lines[n.index] || lines[n.index]->role == LineRole::word) continue;
        const Node& node = graph.nodes[n];
        if (lines[n.index]->role == LineRole::join) {
            joins = true;
            const auto folded = graph.values[node.reads.front()].producer;
            if (!folded || !inside(*folded))
                return Verdict::no(fmt::format("the parts of {} are folded by another kernel",
                                               value_name(graph, program, node.writes.front())));
            continue;
        }
        const std::vector<NodeId>& joined_by = lines[n.index]->joined_by;
        if (!std::all_of(joined_by.begin(), joined_by.end(), inside))
            return Verdict::no(
                fmt::format("{} is joined by another kernel", value_name(graph, program, node.writes.front())));
    }
    return joins ? Verdict::yes("its blocks have whole lines")
                 : Verdict::no("what is joined of lines stands in another kernel");
}

}  // namespace kasc
