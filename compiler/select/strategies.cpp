// The list of strategies, and what they share.

#include "select/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "select/contraction.hpp"

namespace kasc {

std::vector<std::string> strategy_names() { return {"exact", "greedy", "beam", "random", "none"}; }

std::unique_ptr<Strategy> find_strategy(const std::string& name) {
    if (name == "exact") return make_exact();
    if (name == "greedy") return make_greedy();
    if (name == "beam") return make_beam();
    if (name == "none") return make_none();
    const std::string seeded = "random:";
    if (name == "random") return make_random(1);
    unsigned seed = 0;
    const char* end = name.data() + name.size();
    if (!name.starts_with(seeded)) return nullptr;
    const auto read = std::from_chars(name.data() + seeded.size(), end, seed);
    return read.ec == std::errc() && read.ptr == end ? make_random(seed) : nullptr;
}

std::vector<NodeId> calls_to_cover(const Graph& graph) {
    std::vector<NodeId> calls;
    for (NodeId node : graph.nodes.ids()) {
        if (!std::holds_alternative<LoopNode>(graph.nodes[node].what)) calls.push_back(node);
    }
    return calls;
}

std::string distance_text(const CostedSpace& costed, double time_ns) {
    if (costed.at_least_ns <= 0) return {};
    return fmt::format("at most {:.1f} % slower than the best there may be, for the model",
                       100 * std::max(0.0, time_ns / costed.at_least_ns - 1));
}

Selection make_selection(const Graph& graph, const CostedSpace& costed, const std::vector<std::size_t>& candidates,
                         std::string strategy, std::string bound) {
    Selection selection{{}, 0, std::move(strategy), std::move(bound)};
    for (const Launch& launch : contract(graph, costed, candidates).order) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) {
            const auto loop = costed.loop_ns.find(std::get<NodeId>(launch.what));
            if (loop != costed.loop_ns.end()) selection.time_ns += loop->second;
            continue;
        }
        selection.candidates.push_back(*candidate);
        selection.time_ns += costed.candidates[*candidate].prediction.time_ns;
    }
    const std::string distance = distance_text(costed, selection.time_ns);
    if (!distance.empty()) selection.bound += (selection.bound.empty() ? "" : ", ") + distance;
    return selection;
}

}  // namespace kasc
