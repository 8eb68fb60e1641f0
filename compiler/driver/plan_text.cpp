#include "driver/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/report_parts.hpp"

namespace kasc {

namespace {

struct NumberedKernel {
    const Graph* graph = nullptr;
    const Candidate* candidate = nullptr;
};

/// Outer graphs before inner ones, as graphs_of has them.
void collect(const Graph& graph, const PlannedGraph& plan, std::vector<NumberedKernel>& all) {
    for (const Candidate* candidate : chosen(plan)) {
        // A transform alone is no kernel: a plan has nothing to say of it.
        const auto* transform = std::get_if<TransformSchedule>(&candidate->schedule);
        if (transform == nullptr || transform->stored) all.push_back({&graph, candidate});
    }
    for (const auto& [node, body] : plan.loops) collect(*std::get<LoopNode>(graph.nodes[node].what).body, *body, all);
}

std::vector<NumberedKernel> kernels_of(const Graph& graph, const PlannedGraph& plan) {
    std::vector<NumberedKernel> all;
    collect(graph, plan, all);
    return all;
}

}  // namespace

std::string plan_calls(const std::vector<NamedCall>& names, const Graph* graph, std::vector<NodeId> calls) {
    std::sort(calls.begin(), calls.end());
    std::string text;
    for (const NamedCall& n : names) {
        if (n.graph == graph && std::binary_search(calls.begin(), calls.end(), n.node))
            text += (text.empty() ? "" : "+") + n.name;
    }
    return text;
}

std::string kernel_plan(const std::vector<NamedCall>& names, const Graph* graph, const Candidate& candidate) {
    return plan_calls(names, graph, fusion_of(candidate.schedule).calls) + ": " + print(choice_of(candidate.schedule));
}

std::string plan_text(const Compilation& compilation, const PlannedGraph& plan) {
    const std::vector<NamedCall> names = named_calls(compilation.program, compilation.graph);
    std::string text;
    for (const NumberedKernel& k : kernels_of(compilation.graph, plan))
        text += (text.empty() ? "" : "; ") + kernel_plan(names, k.graph, *k.candidate);
    return text;
}

std::vector<PlannedCalls> planned_calls(const Graph& graph, const PlannedGraph& plan) {
    std::vector<PlannedCalls> all;
    for (const NumberedKernel& k : kernels_of(graph, plan))
        all.push_back({k.graph, fusion_of(k.candidate->schedule).calls});
    return all;
}

}  // namespace kasc
