//   t = f(a)   v = g(b)        fusions {t, w} and {v, u}: both are convex, but
//   u = h(t)   w = k(v)        {v, u} reads t and {t, w} reads v
//
// Vertices are numbered by their first node, so that the first ready vertex is the first of the program. The strongly
// connected components of more than one vertex are the cycles.

#include "select/contraction.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <set>

namespace kasc {

namespace {

class Contracted {
public:
    Contracted(const Graph& graph, const CostedSpace& costed, const std::vector<std::size_t>& candidates)
        : graph_(graph), vertex_of_(graph.nodes.size(), nowhere) {
        std::map<NodeId, std::size_t> first_calls;  // by the first call of the candidate
        for (std::size_t candidate : candidates) {
            const auto& calls = fusion_of(costed.candidates.at(candidate).schedule).calls;
            first_calls[*std::min_element(calls.begin(), calls.end())] = candidate;
        }
        for (NodeId node : graph.nodes.ids()) {
            const auto starts = first_calls.find(node);
            if (starts == first_calls.end()) {
                if (vertex_of_[node.index] == nowhere) vertex_of_[node.index] = add_vertex(node, std::nullopt);
                continue;
            }
            const std::size_t vertex = add_vertex(node, starts->second);
            for (NodeId call : fusion_of(costed.candidates[starts->second].schedule).calls)
                vertex_of_[call.index] = vertex;
        }
        for (NodeId node : graph.nodes.ids()) {
            for (NodeId before : predecessors(graph, node)) {
                const std::size_t from = vertex_of_[before.index], to = vertex_of_[node.index];
                if (from != to) after_[from].insert(to);
            }
        }
    }

    [[nodiscard]] std::vector<Launch> order() const {
        std::vector<int> waits(vertices_.size());
        for (const auto& successors : after_) {
            for (std::size_t v : successors) ++waits[v];
        }
        std::set<std::size_t> ready;
        for (std::size_t v = 0; v < waits.size(); ++v) {
            if (waits[v] == 0) ready.insert(v);
        }
        std::vector<Launch> launches;
        std::size_t done = 0;
        for (; !ready.empty(); ++done) {
            const std::size_t v = *ready.begin();
            ready.erase(ready.begin());
            if (vertices_[v].candidate)
                launches.push_back({*vertices_[v].candidate});
            else if (std::holds_alternative<LoopNode>(graph_.nodes[vertices_[v].first].what))
                launches.push_back({vertices_[v].first});
            for (std::size_t next : after_[v]) {
                if (--waits[next] == 0) ready.insert(next);
            }
        }
        return done == vertices_.size() ? launches : std::vector<Launch>{};
    }

    [[nodiscard]] std::vector<std::vector<std::size_t>> cycles() const {
        boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> edges(vertices_.size());
        for (std::size_t from = 0; from < after_.size(); ++from) {
            for (std::size_t to : after_[from]) boost::add_edge(from, to, edges);
        }
        std::vector<std::size_t> component(vertices_.size());
        boost::strong_components(
            edges, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, edges)));
        std::map<std::size_t, std::vector<std::size_t>> members;
        std::map<std::size_t, std::size_t> sizes;
        for (std::size_t v = 0; v < vertices_.size(); ++v) {
            ++sizes[component[v]];
            if (vertices_[v].candidate) members[component[v]].push_back(*vertices_[v].candidate);
        }
        std::vector<std::vector<std::size_t>> found;
        for (auto& [id, list] : members) {
            if (sizes[id] < 2) continue;
            std::sort(list.begin(), list.end());
            found.push_back(std::move(list));
        }
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    struct Vertex {
        NodeId first;
        std::optional<std::size_t> candidate;
    };
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    std::size_t add_vertex(NodeId first, std::optional<std::size_t> candidate) {
        vertices_.push_back({first, candidate});
        after_.emplace_back();
        return vertices_.size() - 1;
    }

    const Graph& graph_;
    std::vector<Vertex> vertices_;
    std::vector<std::size_t> vertex_of_;  // by node
    std::vector<std::set<std::size_t>> after_;
};

}  // namespace

Contraction contract(const Graph& graph, const CostedSpace& costed, const std::vector<std::size_t>& candidates) {
    const Contracted contracted(graph, costed, candidates);
    Contraction result{contracted.order(), {}};
    if (result.order.empty() && !graph.nodes.empty()) result.cycles = contracted.cycles();
    return result;
}

std::vector<std::vector<Wait>> shortest_way_around(const Graph& graph, const CostedSpace& costed,
                                                   const std::vector<std::size_t>& cycle) {
    std::map<NodeId, std::size_t> stands_in;
    for (std::size_t k = 0; k < cycle.size(); ++k)
        for (const NodeId call : fusion_of(costed.candidates.at(cycle[k]).schedule).calls) stands_in[call] = k;
    std::vector<std::map<std::size_t, std::vector<Wait>>> waits(cycle.size());
    for (const auto& [node, to] : stands_in) {
        for (const NodeId before : predecessors(graph, node)) {
            const auto from = stands_in.find(before);
            if (from != stands_in.end() && from->second != to) waits[from->second][to].push_back({before, node});
        }
    }
    constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    std::vector<std::size_t> shortest;
    for (std::size_t start = 0; start < cycle.size(); ++start) {
        std::vector<std::size_t> from(cycle.size(), nowhere), reached{start};
        bool closed = false;
        for (std::size_t r = 0; r < reached.size() && !closed; ++r) {
            for (const auto& [to, between] : waits[reached[r]]) {
                if (to == start) {
                    std::vector<std::size_t> way;
                    for (std::size_t at = reached[r]; at != start; at = from[at]) way.insert(way.begin(), at);
                    way.insert(way.begin(), start);
                    if (shortest.empty() || way.size() < shortest.size()) shortest = std::move(way);
                    closed = true;
                    break;
                }
                if (from[to] != nowhere) continue;
                from[to] = reached[r];
                reached.push_back(to);
            }
        }
    }
    std::vector<std::vector<Wait>> around;
    for (std::size_t k = 0; k < shortest.size(); ++k)
        around.push_back(waits[shortest[k]].at(shortest[(k + 1) % shortest.size()]));
    return around;
}

std::vector<Launch> launch_order(const Graph& graph, const CostedSpace& costed, const Selection& selection) {
    return contract(graph, costed, selection.candidates).order;
}

}  // namespace kasc
