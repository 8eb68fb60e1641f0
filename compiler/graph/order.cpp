// What must run before what, and whether a set of nodes can run as one.
//
//   t = f(a)      {t = f(a), w = h(t, u)} is not convex: the path t → u → w leaves the set at t = f(a), passes
//   u = g(t)      u = g(t) and comes back
//   w = h(t, u)
//
// Node ids are a topological order, so that one pass over them carries "reached from the set, through nodes outside".

#include <fmt/format.h>

#include <algorithm>

#include "graph/field_target.hpp"
#include "graph/graph.hpp"

namespace kasc {

std::vector<NodeId> consumers(const Graph& graph, ValueId value) {
    std::vector<NodeId> found;
    for (NodeId id : graph.nodes.ids()) {
        const std::vector<ValueId>& reads = graph.nodes[id].reads;
        if (std::find(reads.begin(), reads.end(), value) != reads.end()) found.push_back(id);
    }
    return found;
}

std::vector<NodeId> predecessors(const Graph& graph, NodeId node) {
    std::vector<NodeId> before;
    for (ValueId value : graph.nodes[node].reads) {
        if (const auto producer = graph.values[value].producer) before.push_back(*producer);
    }
    const auto* update = std::get_if<FieldUpdate>(&graph.nodes[node].what);
    const bool transforms = std::holds_alternative<Transform>(graph.nodes[node].what);
    std::optional<ValueId> lost;  // what others must have read before
    if (update != nullptr && update->former && updates_in_place(update->statement)) lost = update->former;
    if (transforms) lost = graph.nodes[node].reads.front();
    if (lost) {
        for (NodeId reader : consumers(graph, *lost)) {
            if (reader < node) before.push_back(reader);
        }
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    return before;
}

Verdict convex(const Graph& graph, const std::vector<NodeId>& nodes, const Program& program) {
    if (nodes.empty()) return Verdict::yes("no call");
    std::vector<bool> inside(graph.nodes.size());
    for (NodeId id : nodes) inside.at(id.index) = true;
    const auto [first, last] = std::minmax_element(nodes.begin(), nodes.end());
    std::vector<std::optional<NodeId>> came_from(graph.nodes.size());  // of outside nodes that the set reaches
    for (std::uint32_t i = first->index + 1; i <= last->index; ++i) {
        for (NodeId before : predecessors(graph, NodeId{i})) {
            const bool reached = !inside[before.index] && came_from[before.index].has_value();
            if (!inside[i] && (inside[before.index] || reached)) {
                came_from[i] = before;
                break;
            }
            if (!inside[i] || !reached) continue;
            std::string path = fmt::format("'{}'", node_text(graph, program, NodeId{i}));
            std::optional<NodeId> at = before;
            while (at) {
                path = fmt::format("'{}' → {}", node_text(graph, program, *at), path);
                at = inside[at->index] ? std::nullopt : came_from[at->index];
            }
            return Verdict::no(fmt::format("a path leaves the fusion and comes back: {}", path));
        }
    }
    return Verdict::yes("no path leaves the set and comes back");
}

}  // namespace kasc
