#include "search/step_fusions.hpp"

#include <algorithm>
#include <set>

#include "search/legality.hpp"

namespace kasc {

namespace {

std::pair<std::size_t, std::size_t> place_of(const Node& node) { return {node.span.begin, node.span.end}; }

/// What one step has in a kernel; of which kernel of a step it is, or none that a step has.
struct Unit {
    Members calls;
    std::size_t kernel;
};
constexpr std::size_t of_no_kernel = static_cast<std::size_t>(-1);

/// Calls that a step hands on as they are, `before = p;`, are in the kernel of no single step: units of their own.
std::optional<std::vector<Unit>> units_of(const Graph& graph, const StepKernels& step) {
    std::map<std::pair<std::size_t, std::size_t>, Members> units;  // by step and kernel
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> met;
    std::vector<Unit> all;
    for (const NodeId node : graph.nodes.ids()) {
        if (!std::holds_alternative<FieldUpdate>(graph.nodes[node].what)) return std::nullopt;
        const auto found = step.find(place_of(graph.nodes[node]));
        if (found == step.end()) {
            all.push_back({{node.index}, of_no_kernel});
            continue;
        }
        const std::size_t number = met[found->first]++, copies = found->second.size();
        units[{number / copies, found->second[number % copies]}].push_back(node.index);
    }
    if (units.empty()) return std::nullopt;
    for (auto& [key, members] : units) all.push_back({std::move(members), key.second});
    return all;
}

/// Calls of all steps up to which a kernel may end in the middle of a step: runs of them are still few.
constexpr std::size_t most_single_calls = 18;

/// The calls of a unit that a pipeline may have, and the others; of few steps each by itself.
std::vector<Unit> taken_apart(const Program& program, const Graph& graph, const std::vector<Unit>& units) {
    std::vector<Unit> all;
    for (const Unit& unit : units) {
        if (graph.nodes.size() <= most_single_calls) {
            for (const std::uint32_t call : unit.calls) all.push_back({{call}, unit.kernel});
            continue;
        }
        Members flowing, others;
        for (const std::uint32_t call : unit.calls)
            (may_be_pipelined(program, graph, {NodeId{call}}) ? flowing : others).push_back(call);
        for (Members* calls : {&flowing, &others})
            if (!calls->empty()) all.push_back({std::move(*calls), unit.kernel});
    }
    std::sort(all.begin(), all.end(), [](const Unit& a, const Unit& b) { return a.calls < b.calls; });
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

std::optional<FusionSpace> fusions_of_steps(const Program& program, const Graph& graph, const SetRules& rules,
                                            const StepKernels& step) {
    const auto of_step = units_of(graph, step);
    if (!of_step) return std::nullopt;
    const std::vector<Unit> units = taken_apart(program, graph, *of_step);
    std::set<std::pair<std::size_t, Members>> found;  // by size, then by calls
    for (const Unit& unit : *of_step)
        if (rules.is_fusion(unit.calls)) found.insert({unit.calls.size(), unit.calls});
    for (const NodeId node : graph.nodes.ids())
        if (rules.is_fusion({node.index})) found.insert({1, {node.index}});
    for (std::size_t first = 0; first < units.size(); ++first) {
        const bool flows = static_cast<bool>(may_be_pipelined(program, graph, node_ids(units[first].calls)));
        Members members;
        for (std::size_t last = first; last < units.size(); ++last) {
            const Unit& unit = units[last];
            Members more = members;
            more.insert(more.end(), unit.calls.begin(), unit.calls.end());
            std::sort(more.begin(), more.end());
            // Recordings of the steps stand between them, in kernels that have those of all steps.
            const bool goes_on = flows ? static_cast<bool>(may_be_pipelined(program, graph, node_ids(more)))
                                       : unit.kernel == units[first].kernel;
            if (!goes_on) continue;
            members = std::move(more);
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
