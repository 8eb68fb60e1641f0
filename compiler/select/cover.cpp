#include "select/cover.hpp"

#include <algorithm>

#include "select/strategies.hpp"

namespace kasc {

std::map<NodeId, std::vector<Cover>> covers_by_first(const CostedSpace& costed) {
    std::map<NodeId, std::vector<Cover>> covers;
    for (std::size_t c = 0; c < costed.candidates.size(); ++c) {
        Cover cover{c, fusion_of(costed.candidates[c].schedule).calls, costed.candidates[c].prediction.time_ns};
        std::sort(cover.nodes.begin(), cover.nodes.end());
        const NodeId first = cover.nodes.front();
        covers[first].push_back(std::move(cover));
    }
    for (const auto& [loop, time] : costed.loop_ns) covers[loop].push_back({std::nullopt, {loop}, time});
    return covers;
}

std::vector<NodeId> nodes_to_cover(const Graph& graph, const CostedSpace& costed) {
    std::vector<NodeId> nodes = calls_to_cover(graph);
    for (const auto& loop : costed.loop_ns) nodes.push_back(loop.first);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

}  // namespace kasc
