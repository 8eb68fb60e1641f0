// Topological order over launches: candidates and loop nodes. Kahn's method, always taking the ready launch whose first
// call stands earliest in the source, so that the order is that of the program wherever it can be.
#include "select/launch_order.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace kasc {

namespace {

struct Group {
    Launch launch;
    std::vector<NodeId> nodes;
};

std::vector<Group> groups_of(const Graph& graph, const CostedSpace& costed,
                             const std::vector<std::size_t>& candidates) {
    std::vector<Group> groups;
    for (const std::size_t c : candidates)
        groups.push_back({{c}, costed.space.fusions[costed.candidates[c].fusion].calls});
    for (const NodeId id : graph.nodes.ids()) {
        if (std::holds_alternative<LoopNode>(graph.nodes[id].what)) groups.push_back({{id}, {id}});
    }
    std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return *std::min_element(a.nodes.begin(), a.nodes.end()) < *std::min_element(b.nodes.begin(), b.nodes.end());
    });
    return groups;
}

}  // namespace

LaunchOrder try_launch_order(const Graph& graph, const CostedSpace& costed,
                             const std::vector<std::size_t>& candidates) {
    const std::vector<Group> groups = groups_of(graph, costed, candidates);
    std::map<NodeId, std::size_t> group_of;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (const NodeId n : groups[g].nodes) group_of[n] = g;
    }
    std::vector<std::set<std::size_t>> waits_for(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (const NodeId n : groups[g].nodes) {
            for (const ValueId v : graph.nodes[n].reads) {
                const auto producer = graph.values[v].producer;
                if (producer && group_of.contains(*producer) && group_of.at(*producer) != g)
                    waits_for[g].insert(group_of.at(*producer));
            }
        }
    }
    LaunchOrder order;
    std::vector<Launch> launches;
    std::set<std::size_t> done;
    while (done.size() < groups.size()) {
        const auto ready = [&](std::size_t g) {
            return !done.contains(g) &&
                   std::includes(done.begin(), done.end(), waits_for[g].begin(), waits_for[g].end());
        };
        std::size_t next = 0;
        while (next < groups.size() && !ready(next)) ++next;
        if (next == groups.size()) break;
        done.insert(next);
        launches.push_back(groups[next].launch);
    }
    if (done.size() == groups.size()) {
        order.launches = std::move(launches);
        return order;
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto* candidate = std::get_if<std::size_t>(&groups[g].launch.what);
        if (!done.contains(g) && candidate != nullptr) order.circle.push_back(*candidate);
    }
    return order;
}

std::vector<Launch> launch_order(const Graph& graph, const CostedSpace& costed, const Selection& selection) {
    return try_launch_order(graph, costed, selection.candidates).launches.value_or(std::vector<Launch>{});
}

}  // namespace kasc
