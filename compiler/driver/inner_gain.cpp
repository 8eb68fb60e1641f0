// Copies of a statement that unrolling makes stand where it stands in the text: so a loop's kernels are found. What may
// stand in a loop's kernel saves its words a way through memory, often more than the loop by itself:
//
//     for (…) { A = mmul33(A, A); }     plan: A → memory, A → A in one kernel of three iterations, A, x → x
//     x = mvmul33(A, x);                inside: A, x → x
#include "driver/inner_gain.hpp"

#include <algorithm>
#include <limits>
#include <optional>
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
    Gain(const CheckedProgram& checked, const PlannedGraph& planned, const Program& marked, const SearchBounds& bounds)
        : checked_(checked), planned_(planned), marked_(marked), bounds_(bounds) {}

    /// `times`: how often the graph is run. `problem`: with runs of the loops around it.
    double of(const Graph& graph, double times, const Problem& problem) const {
        double gained = 0;
        std::optional<SetRules> rules;
        for (const NodeId id : graph.nodes.ids()) {
            const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
            if (loop == nullptr) continue;
            const Loop& own = marked_.loops[loop->loop];
            if (!own.inside) {
                const CountedLoop counted =
                    counted_loop(marked_, loop->loop, loop->from, loop->to, loop->going.has_value(), problem);
                gained += of(*loop->body, times * counted.iterations, problem_within(counted, problem));
                continue;
            }
            if (!rules && may_be_searched(graph)) rules.emplace(marked_, graph, bounds_);
            const Members alone{id.index}, all = rules ? with_calls_beside(*rules, graph, id) : alone;
            gained += std::max(
                {0.0, gain_of(graph, alone, times, problem), all == alone ? 0.0 : gain_of(graph, all, times, problem)});
        }
        return gained;
    }

private:
    const CheckedProgram& checked_;
    const PlannedGraph& planned_;
    const Program& marked_;
    const SearchBounds& bounds_;

    /// The loop, and what may stand before it and behind in its kernel, as the order of the graph has it.
    [[nodiscard]] static Members with_calls_beside(const SetRules& rules, const Graph& graph, NodeId loop) {
        Members members{loop.index};
        const auto take = [&](std::uint32_t node) {
            const NodeSet& near = rules.connections().adjacent[node];
            if (std::none_of(members.begin(), members.end(), [&](std::uint32_t m) { return near.test(m); })) return;
            Members larger = members;
            larger.insert(std::lower_bound(larger.begin(), larger.end(), node), node);
            if (rules.is_fusion(larger)) members = std::move(larger);
        };
        const auto count = static_cast<std::uint32_t>(graph.nodes.size());
        for (std::uint32_t behind = loop.index + 1; behind < count; ++behind) take(behind);
        for (std::uint32_t before = loop.index; before-- > 0;) take(before);
        return members;
    }

    /// What a kernel saves that computes the members, one of which is a loop. Statements that are not whole among them
    /// count as if they took no time in the plan.
    [[nodiscard]] double gain_of(const Graph& graph, const Members& members, double times,
                                 const Problem& problem) const {
        Places places, others;
        for (const NodeId id : graph.nodes.ids()) {
            const bool is_member = std::binary_search(members.begin(), members.end(), id.index);
            const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
            if (loop == nullptr) {
                (is_member ? places : others).insert(place_of(graph.nodes[id]));
            } else if (is_member) {
                for (const Node& node : loop->body->nodes) places.insert(place_of(node));
            }
        }
        for (const auto& place : others) places.erase(place);
        return time_of(planned_, places) - times * least_of(graph, members, problem);
    }

    [[nodiscard]] double least_of(const Graph& graph, const Members& members, const Problem& problem) const {
        double least = std::numeric_limits<double>::infinity();
        const LoopWorkResult work = loop_work(marked_, graph, FusionMaker(graph).of(members));
        if (!work.value) return least;
        const model::LineLengths lines = model::line_lengths(work.value->line_axes(), marked_, problem);
        if (!lines.value) return least;
        const bool cpu = checked_.device.kind == DeviceKind::cpu;
        LoopPredictor predictor(*work.value, marked_, checked_.device, problem);
        for (const FieldChoice& choice : loop_choices(*work.value, cpu, *lines.value)) {
            const LoopScheduleResult made = schedule_loop(work.value, choice, marked_, *lines.value);
            if (made.value) least = std::min(least, predictor.of(*made.value).time_ns);
        }
        return least;
    }
};

}  // namespace

double gain_of_inner_loops(const CheckedProgram& checked, const PlannedGraph& planned, const Program& marked,
                           const SearchBounds& bounds) {
    const auto graph = build_graph(marked);
    return graph ? Gain(checked, planned, marked, bounds).of(*graph, 1, checked.problem) : 0;
}

}  // namespace kasc
