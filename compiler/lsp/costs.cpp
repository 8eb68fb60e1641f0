#include "lsp/costs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/report_parts.hpp"
#include "graph/expand.hpp"

namespace kasc::lsp {

namespace {

/// Statements with their functions expanded may be very long.
std::string shortened(const std::string& text) {
    constexpr std::size_t most = 160;
    return text.size() <= most ? text : text.substr(0, most) + "...";
}

void add_statement(KernelCost& kernel, const Compilation& c, const Graph& graph, NodeId id) {
    const Node& node = graph.nodes[id];
    kernel.places.push_back(as_given(node.span));
    for (const ValueId value : node.writes)
        kernel.assigned.push_back(c.program.variables[graph.values[value].variable].name);
    std::string text = shortened(node_text(graph, c.program, id));
    if (std::find(kernel.statements.begin(), kernel.statements.end(), text) == kernel.statements.end())
        kernel.statements.push_back(std::move(text));
}

}  // namespace

Costs costs_of(const Outcome<Compilation>& compilation) {
    Costs costs;
    if (!compilation) {
        costs.fault = compilation.diagnostics.empty() ? "it has no plan" : compilation.diagnostics.front().message;
        return costs;
    }
    const Compilation& c = *compilation;
    costs.device = c.device.name;
    costs.sizes = problem_text(c);
    const PlannedGraph& plan = c.plans.front();
    const auto names = kernel_names(c, plan);
    for (const GraphInPlan& g : graphs_of(c, plan)) {
        const Graph& graph = *g.planned->costed->expanded;
        for (const Candidate* candidate : chosen(*g.planned)) {
            const Prediction& p = candidate->prediction;
            KernelCost kernel{names.at(candidate), g.name, {}, {}, {}, p.global_bytes, p.time_ns, binding_part(p)};
            for (const NodeId call : functions_of(graph, fusion_of(candidate->schedule).calls))
                add_statement(kernel, c, graph, call);
            costs.kernels.push_back(std::move(kernel));
        }
    }
    return costs;
}

std::vector<const KernelCost*> kernels_of(const Costs& costs, const Span& statement, const std::string& target) {
    std::vector<const KernelCost*> found;
    for (const KernelCost& kernel : costs.kernels) {
        const bool here = std::any_of(kernel.places.begin(), kernel.places.end(), [&](const Span& place) {
            return place.source == statement.source && place.begin < statement.end && statement.begin < place.end;
        });
        if (here) found.push_back(&kernel);
    }
    if (!found.empty()) return found;
    // What rules have written anew has its place no longer.
    for (const KernelCost& kernel : costs.kernels)
        if (std::find(kernel.assigned.begin(), kernel.assigned.end(), target) != kernel.assigned.end())
            found.push_back(&kernel);
    return found;
}

}  // namespace kasc::lsp
