// Copies of a statement that unrolling makes stand where it stands in the text: so a loop's kernels are found.
#include "driver/inner_gain.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "model/counted_loop.hpp"
#include "model/parts.hpp"
#include "search/set_rules.hpp"

namespace kasc {

namespace {

using Places = std::set<std::pair<std::size_t, std::size_t>>;

std::pair<std::size_t, std::size_t> place_of(const Node& node) { return {node.span.begin, node.span.end}; }

/// Time of kernels that compute statements at these places, as far as that is what they compute.
double time_of(const PlannedGraph& planned, const Places& places) {
    double ns = 0;
    for (const Launch& launch : planned.launches) {
        if (const auto* loop = std::get_if<NodeId>(&launch.what)) {
            ns += planned.iterations.at(*loop) * time_of(*planned.loops.at(*loop), places);
            continue;
        }
        const Candidate& candidate = planned.costed->candidates[std::get<std::size_t>(launch.what)];
        const std::vector<NodeId>& calls = fusion_of(candidate.schedule).calls;
        const auto own = std::count_if(calls.begin(), calls.end(), [&](NodeId call) {
            return places.contains(place_of(planned.graph->nodes[call]));
        });
        ns += candidate.prediction.time_ns * static_cast<double>(own) / static_cast<double>(calls.size());
    }
    return ns;
}

class Gain {
public:
    Gain(const CheckedProgram& checked, const PlannedGraph& planned, const Program& marked)
        : checked_(checked), planned_(planned), marked_(marked) {}

    /// `times`: how often the graph is run. `around`: runs of the loops around it.
    double of(const Graph& graph, double times, const std::vector<LoopIndices>& around) const {
        double gained = 0;
        for (const NodeId id : graph.nodes.ids()) {
            const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
            if (loop == nullptr) continue;
            const Loop& own = marked_.loops[loop->loop];
            if (!own.inside) {
                const CountedLoop counted = counted_loop(marked_, loop->loop, loop->from, loop->to,
                                                         loop->going.has_value(), checked_.problem, around);
                gained += of(*loop->body, times * counted.iterations, counted.runs);
                continue;
            }
            Places places;
            for (const Node& node : loop->body->nodes) places.insert(place_of(node));
            gained += std::max(0.0, time_of(planned_, places) - times * least_of(graph, id));
        }
        return gained;
    }

private:
    const CheckedProgram& checked_;
    const PlannedGraph& planned_;
    const Program& marked_;

    [[nodiscard]] double least_of(const Graph& graph, NodeId loop) const {
        double least = std::numeric_limits<double>::infinity();
        const LoopWorkResult work = loop_work(marked_, graph, FusionMaker(graph).of({loop.index}));
        if (!work.value) return least;
        const model::LineLengths lines = model::line_lengths(work.value->line_axes(), marked_, checked_.problem);
        if (!lines.value) return least;
        const bool cpu = checked_.device.kind == DeviceKind::cpu;
        for (const FieldChoice& choice : loop_choices(*work.value, cpu, *lines.value)) {
            const LoopScheduleResult made = schedule_loop(work.value, choice, marked_, *lines.value);
            if (made.value)
                least = std::min(least,
                                 model::predict_loop(*made.value, marked_, checked_.device, checked_.problem).time_ns);
        }
        return least;
    }
};

}  // namespace

double gain_of_inner_loops(const CheckedProgram& checked, const PlannedGraph& planned, const Program& marked) {
    const auto graph = build_graph(marked);
    return graph ? Gain(checked, planned, marked).of(*graph, 1, {{}}) : 0;
}

}  // namespace kasc
