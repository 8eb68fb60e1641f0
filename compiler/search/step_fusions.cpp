#include "search/step_fusions.hpp"

#include <algorithm>
#include <set>

namespace kasc {

namespace {

std::pair<std::size_t, std::size_t> place_of(const Node& node) { return {node.span.begin, node.span.end}; }

/// Calls that a step hands on as they are, `before = p;`, are in the kernel of no single step: units of their own.
std::optional<std::vector<Members>> units_of(const Graph& graph, const StepKernels& step) {
    std::map<std::pair<std::size_t, std::size_t>, Members> units;  // by step and kernel
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> met;
    std::vector<Members> all;
    for (const NodeId node : graph.nodes.ids()) {
        if (!std::holds_alternative<FieldUpdate>(graph.nodes[node].what)) return std::nullopt;
        const auto found = step.find(place_of(graph.nodes[node]));
        if (found == step.end()) {
            all.push_back({node.index});
            continue;
        }
        const std::size_t number = met[found->first]++, copies = found->second.size();
        units[{number / copies, found->second[number % copies]}].push_back(node.index);
    }
    if (units.empty()) return std::nullopt;
    for (auto& [key, members] : units) all.push_back(std::move(members));
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

StepKernels step_kernels(const Graph& graph, const std::vector<std::vector<NodeId>>& kernels) {
    std::map<NodeId, std::size_t> kernel_of;
    for (std::size_t k = 0; k < kernels.size(); ++k)
        for (const NodeId node : kernels[k]) kernel_of[node] = k;
    StepKernels step;
    for (const NodeId node : graph.nodes.ids())
        if (const auto kernel = kernel_of.find(node); kernel != kernel_of.end())
            step[place_of(graph.nodes[node])].push_back(kernel->second);
    return step;
}

std::optional<FusionSpace> fusions_of_steps(const Graph& graph, const SetRules& rules, const StepKernels& step) {
    const auto units = units_of(graph, step);
    if (!units) return std::nullopt;
    std::set<std::pair<std::size_t, Members>> found;  // by size, then by calls
    for (const NodeId node : graph.nodes.ids())
        if (rules.is_fusion({node.index})) found.insert({1, {node.index}});
    for (std::size_t first = 0; first < units->size(); ++first) {
        Members members;
        for (std::size_t last = first; last < units->size(); ++last) {
            members.insert(members.end(), (*units)[last].begin(), (*units)[last].end());
            std::sort(members.begin(), members.end());
            if (rules.is_fusion(members)) found.insert({members.size(), members});
        }
    }
    FusionSpace space;
    const FusionMaker maker(graph);
    for (const auto& [size, members] : found) space.fusions.add(maker.of(members));
    space.cut = "of several steps, what one step has in a kernel stays together";
    return space;
}

}  // namespace kasc
