#include "plan/padded_rows.hpp"

#include <algorithm>

namespace kasc {

std::set<ValueId> padded_values(const PlannedGraph& planned, const Program& program) {
    std::set<NodeId> of_lines;
    for (const Launch& launch : planned.launches) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) continue;
        const auto* fft = std::get_if<FftSchedule>(&planned.costed->candidates[*candidate].schedule);
        if (fft != nullptr) of_lines.insert(fft->fusion().calls.begin(), fft->fusion().calls.end());
    }
    const Graph& graph = *planned.graph;
    std::set<ValueId> padded;
    for (const ValueId value : graph.values.ids()) {
        const auto& producer = graph.values[value].producer;
        if (!producer || !of_lines.contains(*producer)) continue;
        const FieldShape& shape = field_shape(program, graph.values[value].variable);
        if (shape.axes.size() < 2 || !program.axes[shape.axes.front()].half_of) continue;
        const bool handed_on = std::find(graph.outputs.begin(), graph.outputs.end(), value) != graph.outputs.end();
        const std::vector<NodeId> readers = consumers(graph, value);
        const bool inside = std::all_of(readers.begin(), readers.end(), [&](NodeId n) { return of_lines.contains(n); });
        if (!handed_on && inside) padded.insert(value);
    }
    return padded;
}

}  // namespace kasc
