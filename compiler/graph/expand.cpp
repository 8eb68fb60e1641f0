// One pass over each body in source order. `names` says which value of the expanded graph a value of the body is: a
// captured one the outer, an entering one the loop's result, any other a value of its own behind the graph's.

#include "graph/expand.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/liveness.hpp"

namespace kasc {

namespace {

using ValueMap = std::map<ValueId, ValueId>;

class Expansion {
public:
    explicit Expansion(const Graph& graph) : expanded_(graph) {}

    Graph run() {
        const std::size_t own = expanded_.nodes.size();
        for (std::uint32_t n = 0; n < own; ++n) {
            const NodeId id{n};
            if (!std::holds_alternative<LoopNode>(expanded_.nodes[id].what) || !may_run_inside(expanded_, id)) continue;
            add_loop(id);
        }
        return std::move(expanded_);
    }

private:
    Graph expanded_;

    /// Requires: the loop node's own reads and writes, and its carried and captured outer values, are the expanded
    /// graph's.
    void add_loop(NodeId id) {
        const auto loop = std::get<LoopNode>(expanded_.nodes[id].what);
        InnerLoop inner{loop.loop, loop.from, loop.to, !surely_runs(loop.from, loop.to), {}, {}, {}};
        ValueMap names;
        for (const Captured& c : loop.captured) names[c.inner] = c.outer;
        for (const Carried& c : loop.carried) {
            if (c.entering) names[*c.entering] = c.result;
            if (c.initial) inner.enter.push_back({*c.initial, c.result});
        }
        for (const Node& node : loop.body->nodes) inner.body.push_back(add_node(*loop.body, node, names));
        for (const Carried& c : loop.carried) inner.repeat.push_back({names.at(c.leaving), c.result});
        expanded_.inner.emplace(id, std::move(inner));
    }

    NodeId add_node(const Graph& body, const Node& node, ValueMap& names) {
        const NodeId id{static_cast<std::uint32_t>(expanded_.nodes.size())};
        Node copy{node.span, {}, {}, node.what};
        for (const ValueId v : node.reads) copy.reads.push_back(names.at(v));
        for (const ValueId v : node.writes)
            copy.writes.push_back(names[v] = add_next_version(expanded_.values, body.values[v], id));
        auto* nested = std::get_if<LoopNode>(&copy.what);
        if (nested != nullptr) {
            for (Captured& c : nested->captured) c.outer = names.at(c.outer);
            for (Carried& c : nested->carried) {
                c.result = names.at(c.result);
                if (c.initial) c.initial = names.at(*c.initial);
            }
        }
        const bool loop = nested != nullptr;
        expanded_.nodes.add(std::move(copy));
        if (loop) add_loop(id);
        return id;
    }
};

std::size_t loops_in(const Graph& body) {
    std::size_t count = 0;
    for (const Node& node : body.nodes)
        if (const auto* loop = std::get_if<LoopNode>(&node.what)) count += 1 + loops_in(*loop->body);
    return count;
}

bool holds_updates(const Graph& body) {
    return std::any_of(body.nodes.begin(), body.nodes.end(), [](const Node& node) {
        if (const auto* loop = std::get_if<LoopNode>(&node.what)) return holds_updates(*loop->body);
        return !std::holds_alternative<StreamCall>(node.what);
    });
}

}  // namespace

Verdict may_run_inside(const Graph& graph, NodeId node) {
    const LoopNode& loop = std::get<LoopNode>(graph.nodes[node].what);
    if (holds_updates(*loop.body)) return Verdict::no("the steps of a loop over fields are launches of their own");
    if (1 + loops_in(*loop.body) > most_inner_loops)
        return Verdict::no(fmt::format("more than {} loops in one kernel", most_inner_loops));
    return Verdict::yes("every call of the loop is on streams: each element runs its iterations by itself");
}

Verdict may_run_inside(const Graph& graph, NodeId first, NodeId second) {
    for (const NodeId node : {first, second}) {
        if (!std::holds_alternative<LoopNode>(graph.nodes[node].what)) continue;
        if (Verdict verdict = may_run_inside(graph, node); !verdict) return verdict;
    }
    return Verdict::yes("no loop stands in the way");
}

ValueId add_next_version(Table<ValueId, Value>& values, const Value& value, std::optional<NodeId> producer) {
    int version = 0;
    for (const Value& other : values)
        if (other.variable == value.variable) version = std::max(version, other.version + 1);
    return values.add({value.variable, version, producer, value.span});
}

Graph expand_loops(const Graph& graph) { return Expansion(graph).run(); }

std::vector<NodeId> functions_of(const Graph& expanded, const std::vector<NodeId>& nodes) {
    std::vector<NodeId> functions;
    for (const NodeId node : nodes) {
        const auto loop = expanded.inner.find(node);
        if (loop == expanded.inner.end()) {
            functions.push_back(node);
            continue;
        }
        const std::vector<NodeId> inside = functions_of(expanded, loop->second.body);
        functions.insert(functions.end(), inside.begin(), inside.end());
    }
    return functions;
}

}  // namespace kasc
