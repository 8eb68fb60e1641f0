#include "schedule/loop/joined_body.hpp"

#include <algorithm>

#include "graph/expand.hpp"

namespace kasc {

namespace {

class Joining {
public:
    Joining(const Graph& graph, const Fusion& fusion, NodeId loop)
        : graph_(graph), calls_(fusion.calls), node_(loop), loop_(std::get<LoopNode>(graph.nodes[loop].what)) {}

    JoinedBody run() {
        const Graph& body = *loop_.body;
        joined_.values = body.values;
        joined_.outputs = body.outputs;
        for (const Captured& captured : loop_.captured) made_.inside[captured.outer] = captured.inner;
        // Ids are in the order of the program: whatever the loop needs stands before it.
        const auto at = std::lower_bound(calls_.begin(), calls_.end(), node_);
        std::for_each(calls_.begin(), at, [&](NodeId call) { add_outer(call); });
        made_.before = joined_.nodes.size();
        for (const Node& node : body.nodes) add(node);
        made_.end = joined_.nodes.size();
        std::for_each(at + 1, calls_.end(), [&](NodeId call) { add_outer(call); });
        for (const ValueId value : joined_.values.ids())
            if (!joined_.values[value].producer) joined_.inputs.push_back(value);
        made_.graph = std::make_shared<const Graph>(std::move(joined_));
        return std::move(made_);
    }

private:
    const Graph& graph_;
    const std::vector<NodeId>& calls_;
    const NodeId node_;
    const LoopNode& loop_;
    Graph joined_;
    JoinedBody made_;

    void add(Node node) {
        const NodeId id{static_cast<std::uint32_t>(joined_.nodes.size())};
        for (const ValueId value : node.writes) joined_.values[value].producer = id;
        joined_.nodes.add(std::move(node));
    }
    void add_outer(NodeId call) {
        Node node = graph_.nodes[call];
        for (ValueId& value : node.reads) value = inside(value);
        for (ValueId& value : node.writes) {
            value = inside(value);
            joined_.outputs.push_back(value);
        }
        auto& update = std::get<FieldUpdate>(node.what);
        if (update.former) update.former = inside(*update.former);
        add(std::move(node));
    }
    ValueId inside(ValueId outer) {
        const auto known = made_.inside.find(outer);
        if (known != made_.inside.end()) return known->second;
        return made_.inside[outer] = add_next_version(joined_.values, graph_.values[outer], std::nullopt);
    }
};

}  // namespace

JoinedBody join_body(const Graph& graph, const Fusion& fusion, NodeId loop) {
    return Joining(graph, fusion, loop).run();
}

}  // namespace kasc
