#include "driver/explorer/graph_json.hpp"

#include <algorithm>
#include <cmath>

#include "driver/explorer/graph_layout.hpp"
#include "driver/plan_text.hpp"

namespace kasc::explorer {

namespace {

struct Edge {
    std::size_t from = 0, to = 0;
    std::vector<std::string> values;
};

/// Inputs are numbered before nodes.
class GraphWriter {
public:
    GraphWriter(const Compilation& c, const PlanView& view, const ViewedGraph& in, const std::vector<NamedCall>& names)
        : c_(c), view_(view), in_(in), graph_(*in.graph), names_(names) {
        for (const NodeId node : graph_.nodes.ids())
            for (const ValueId value : graph_.nodes[node].reads)
                if (!graph_.values[value].producer) inputs_.try_emplace(value, 0);
        std::size_t next = 0;
        for (auto& [value, number] : inputs_) number = next++;
        for (const NodeId node : graph_.nodes.ids()) add_edges(node);
    }

    Json run() {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (const Edge& e : edges_) pairs.emplace_back(e.from, e.to);
        const LaidOut laid = lay_out(inputs_.size() + graph_.nodes.size(), pairs);
        Json nodes = Json::array(), edges = Json::array();
        for (const auto& [value, number] : inputs_)
            nodes.push_back({{"input", value_name(graph_, c_.program, value)}, {"at", at(laid.nodes[number])}});
        for (const NodeId node : graph_.nodes.ids()) nodes.push_back(node_json(node, laid.nodes[number_of(node)]));
        for (std::size_t k = 0; k < edges_.size(); ++k) {
            Json bends = Json::array();
            for (const LaidOut::Point& p : laid.bends[k]) bends.push_back(at(p));
            edges.push_back({edges_[k].from, edges_[k].to, edges_[k].values, bends});
        }
        return {{"width", laid.width}, {"layers", laid.layers}, {"nodes", nodes}, {"edges", edges}};
    }

private:
    const Compilation& c_;
    const PlanView& view_;
    const ViewedGraph& in_;
    const Graph& graph_;
    const std::vector<NamedCall>& names_;
    std::map<ValueId, std::size_t> inputs_;
    std::vector<Edge> edges_;

    [[nodiscard]] std::size_t number_of(NodeId node) const { return inputs_.size() + node.index; }
    static Json at(const LaidOut::Point& p) { return {std::round(p.x * 100) / 100, p.layer}; }

    void add_edges(NodeId node) {
        const std::size_t to = number_of(node), first = edges_.size();
        for (const ValueId value : graph_.nodes[node].reads) {
            const auto producer = graph_.values[value].producer;
            const std::size_t from = producer ? number_of(*producer) : inputs_.at(value);
            auto edge = std::find_if(edges_.begin() + static_cast<std::ptrdiff_t>(first), edges_.end(),
                                     [&](const Edge& e) { return e.from == from; });
            if (edge == edges_.end()) edge = edges_.insert(edges_.end(), {from, to, {}});
            std::string name = value_name(graph_, c_.program, value);
            if (std::find(edge->values.begin(), edge->values.end(), name) == edge->values.end())
                edge->values.push_back(std::move(name));
        }
    }

    Json node_json(NodeId node, const LaidOut::Point& point) const {
        Json json{{"name", plan_calls(names_, &graph_, {node})},
                  {"text", node_text(graph_, c_.program, node)},
                  {"at", at(point)}};
        if (const auto kernel = in_.kernel_of.find(node); kernel != in_.kernel_of.end())
            json["kernel"] = kernel->second;
        if (const auto s = in_.statement_of.find(node); s != in_.statement_of.end()) json["statement"] = s->second;
        if (const auto body = in_.body_of.find(node); body != in_.body_of.end()) json["graph"] = body->second;
        const auto& writes = graph_.nodes[node].writes;
        if (std::any_of(writes.begin(), writes.end(), [&](ValueId v) {
                return std::find(graph_.outputs.begin(), graph_.outputs.end(), v) != graph_.outputs.end();
            }))
            json["output"] = true;
        return json;
    }
};

}  // namespace

Json graph_json(const Compilation& compilation, const PlanView& view, std::size_t graph,
                const std::vector<NamedCall>& names) {
    return GraphWriter(compilation, view, view.graphs[graph], names).run();
}

}  // namespace kasc::explorer
