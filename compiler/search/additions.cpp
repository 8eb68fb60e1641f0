#include "search/additions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "frontend/list_entries.hpp"
#include "graph/field_target.hpp"

namespace kasc {

namespace {

std::vector<AxisId> entry_axes_of(const Program& program, const FieldUpdate& update) {
    std::vector<AxisId> axes = cell_axes(program, update.statement);
    std::sort(axes.begin(), axes.end());
    return axes;
}

std::string names_of(const Program& program, const std::vector<AxisId>& axes) {
    std::vector<std::string> names;
    for (const AxisId axis : axes) names.push_back(program.axes[axis].name);
    return fmt::format("[{}]", fmt::join(names, ","));
}

/// In one kernel with sums of pieces threads have words of all that is added, in the same pieces.
Verdict no_pieces_apart(const Program& program, const FieldStatement& pieces, const FieldStatement& beside) {
    if (!adds_entries(program, beside)) return Verdict::yes("it is computed at each entry");
    const std::string& name = program.variables[beside.target].name;
    if (pieces.listed != beside.listed)
        return Verdict::no(fmt::format("entries that add to {} are counted otherwise", name));
    const auto labels = declared_labels(program, beside);
    const auto bytes = static_cast<long long>(cell_bytes(field_shape(program, beside.target).type));
    if (!makes_pieces(beside) && (!labels || *labels * bytes > most_bytes_of_lane))
        return Verdict::no(fmt::format("no lane has words of all cells of {}", name));
    return Verdict::yes("each thread has words of its own");
}

/// The first operands of a call along an ordered list: its order, which places a cell has, and which cells begin.
constexpr int operands_of_list = 3;

bool is_along_list(const FieldUpdate& update) {
    const auto& adding = update.statement.adding;
    return adding && (adding->part == Adding::Part::chunks || adding->part == Adding::Part::cells);
}

/// Where a call adds to, as text: cells that a list names, layers that stay as they are.
std::string cells_added_to(const Program& program, const FieldStatement& statement) {
    const FieldShape& shape = field_shape(program, statement.target);
    const std::vector<std::string> operands = operand_texts(statement, program);
    std::string text;
    for (std::size_t k = 0; k < shape.axes.size(); ++k) {
        const AxisIndex& index = statement.target_indices[k];
        const auto* computed = std::get_if<Computed>(&index);
        const auto* absolute = std::get_if<Absolute>(&index);
        const ExpressionRef position = computed ? computed->position : absolute ? absolute->position : nullptr;
        text += fmt::format("{} {} {} {}, ", program.axes[shape.axes[k]].name,
                            position ? to_text(*position, program, operands) : "own", shape.faces[k].low.layers,
                            shape.faces[k].high.layers);
    }
    return text;
}

}  // namespace

bool adds_entries(const Program& program, const FieldStatement& statement) {
    return adds_in_any_order(program, statement) || makes_pieces(statement);
}

Verdict no_addition_apart(const Program& program, const Graph& graph, NodeId first, NodeId second) {
    for (const auto& [adding, beside] : {std::pair(first, second), std::pair(second, first)}) {
        const FieldUpdate &a = std::get<FieldUpdate>(graph.nodes[adding].what),
                          &b = std::get<FieldUpdate>(graph.nodes[beside].what);
        if (!adds_entries(program, a.statement)) continue;
        const std::string& name = program.variables[a.statement.target].name;
        const auto& reads = graph.nodes[beside].reads;
        if (std::find(reads.begin(), reads.end(), graph.nodes[adding].writes.front()) != reads.end())
            return Verdict::no(fmt::format("entries of a list add to {}: it is complete when its kernel ends", name));
        if (a.former && graph.values[*a.former].producer == beside)
            return Verdict::no(fmt::format("entries of a list add to {}, whose cells are there before", name));
        if (b.statement.fold) return Verdict::no(fmt::format("entries of a list add to {}, not lanes", name));
        if (assigns_slice(b.statement) && !b.statement.adding)
            return Verdict::no(fmt::format("entries of a list add to {}, beside whole fields alone", name));
        if (entry_axes_of(program, a) != entry_axes_of(program, b))
            return Verdict::no(fmt::format("mixed iteration axes: entries along {} add to {}, cells of {} are computed",
                                           names_of(program, entry_axes_of(program, a)), name,
                                           names_of(program, entry_axes_of(program, b))));
        if (!makes_pieces(a.statement)) continue;
        if (Verdict pieces = no_pieces_apart(program, a.statement, b.statement); !pieces) return pieces;
    }
    return Verdict::yes("each entry is added by the thread that computes its cell");
}

std::optional<Verdict> share_ordered_list(const Program& program, const Graph& graph, NodeId first, NodeId second) {
    const auto *a = std::get_if<FieldUpdate>(&graph.nodes[first].what),
               *b = std::get_if<FieldUpdate>(&graph.nodes[second].what);
    if (a == nullptr || b == nullptr || (!is_along_list(*a) && !is_along_list(*b))) return std::nullopt;
    const std::string& name = program.variables[(is_along_list(*a) ? a : b)->statement.target].name;
    if (!is_along_list(*a) || !is_along_list(*b))
        return Verdict::no(fmt::format("{} is summed up by entries of a list", name));
    const Adding &one = *a->statement.adding, &other = *b->statement.adding;
    const auto list_of = [&](NodeId call) {
        const std::vector<ValueId>& reads = graph.nodes[call].reads;
        return std::vector(reads.begin(), reads.begin() + operands_of_list);
    };
    if (one.part != other.part || one.along != other.along || list_of(first) != list_of(second) ||
        cells_added_to(program, a->statement) != cells_added_to(program, b->statement))
        return Verdict::no(fmt::format("{} is summed up by entries of a list, the other not by the same", name));
    return Verdict::yes("a thread goes through the entries of its cell once");
}

}  // namespace kasc
