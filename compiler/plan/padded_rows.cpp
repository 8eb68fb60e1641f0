#include "plan/padded_rows.hpp"

#include <algorithm>

namespace kasc {

namespace {

template <class Schedule>
const Schedule* schedule_of(const PlannedGraph& planned, const Launch& launch) {
    const auto* candidate = std::get_if<std::size_t>(&launch.what);
    return candidate == nullptr ? nullptr : std::get_if<Schedule>(&planned.costed->candidates[*candidate].schedule);
}

std::set<NodeId> calls_of_lines(const PlannedGraph& planned) {
    std::set<NodeId> calls;
    for (const Launch& launch : planned.launches)
        if (const auto* fft = schedule_of<FftSchedule>(planned, launch))
            calls.insert(fft->fusion().calls.begin(), fft->fusion().calls.end());
    return calls;
}

/// Each cell is stored by itself, at the index of its own array.
bool stores_by_cell(const FieldSchedule& schedule, const Program& program, const Graph& graph, NodeId call) {
    const FieldStatement& s = field_update(graph, call).statement;
    const bool whole = !s.where && !s.adding && !s.fold && !s.running &&
                       std::all_of(s.target_indices.begin(), s.target_indices.end(),
                                   [](const AxisIndex& index) { return std::holds_alternative<Offset>(index); });
    return whole && schedule.choice.walk == Walk::grid && schedule.choice.vector == 1 &&
           !field_shape(program, s.target).keeps_layers();
}

std::set<NodeId> calls_by_cell(const PlannedGraph& planned, const Program& program) {
    std::set<NodeId> calls;
    for (const Launch& launch : planned.launches) {
        const auto* cells = schedule_of<FieldSchedule>(planned, launch);
        if (cells == nullptr || fold_of(*cells->work) != nullptr) continue;  // folds have indices of their own
        for (const NodeId call : cells->fusion().calls)
            if (stores_by_cell(*cells, program, *planned.graph, call)) calls.insert(call);
    }
    return calls;
}

/// Nobody reads the value but kernels that transform lines, and nobody hands it on.
bool stays_with_lines(const PlannedGraph& planned, ValueId value) {
    const Graph& graph = *planned.graph;
    if (std::find(graph.outputs.begin(), graph.outputs.end(), value) != graph.outputs.end()) return false;
    const std::set<NodeId> of_lines = calls_of_lines(planned);
    const std::vector<NodeId> readers = consumers(graph, value);
    return std::all_of(readers.begin(), readers.end(), [&](NodeId reader) {
        const auto* loop = std::get_if<LoopNode>(&graph.nodes[reader].what);
        const auto body = planned.loops.find(reader);
        if (loop == nullptr || body == planned.loops.end()) return of_lines.contains(reader);
        const bool enters = std::any_of(loop->carried.begin(), loop->carried.end(),
                                        [&](const Carried& c) { return c.initial == value; });
        return !enters && std::all_of(loop->captured.begin(), loop->captured.end(), [&](const Captured& c) {
            return c.outer != value || stays_with_lines(*body->second, c.inner);
        });
    });
}

}  // namespace

std::set<ValueId> padded_values(const PlannedGraph& planned, const Program& program) {
    const Graph& graph = *planned.graph;
    std::set<NodeId> makers = calls_of_lines(planned);
    makers.merge(calls_by_cell(planned, program));
    std::set<ValueId> padded;
    for (const ValueId value : graph.values.ids()) {
        const auto& producer = graph.values[value].producer;
        if (!producer || !makers.contains(*producer)) continue;
        const FieldShape& shape = field_shape(program, graph.values[value].variable);
        const bool is_half = shape.axes.size() >= 2 && program.axes[shape.axes.front()].half_of;
        if (is_half && !consumers(graph, value).empty() && stays_with_lines(planned, value)) padded.insert(value);
    }
    return padded;
}

}  // namespace kasc
