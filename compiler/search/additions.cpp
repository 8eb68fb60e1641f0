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

}  // namespace kasc
