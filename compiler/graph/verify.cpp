// The invariants of graph.hpp, one check each, in an order in which the later ones may rely on the earlier: ids are in
// range, every value comes from exactly one place, nodes read only what is there before them, loops map their values.

#include <fmt/format.h>

#include <algorithm>

#include "graph/graph.hpp"

namespace kasc {

namespace {

bool contains(const std::vector<ValueId>& list, ValueId value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

std::string check_ids(const Graph& graph) {
    const auto known = [&](ValueId v) { return v.index < graph.values.size(); };
    for (ValueId v : graph.inputs) {
        if (!known(v)) return "an input is no value of the graph";
    }
    for (ValueId v : graph.outputs) {
        if (!known(v)) return "an output is no value of the graph";
    }
    for (NodeId id : graph.nodes.ids()) {
        const Node& node = graph.nodes[id];
        if (!std::all_of(node.reads.begin(), node.reads.end(), known)) {
            return fmt::format("n{} reads no value of the graph", id.index);
        }
        if (!std::all_of(node.writes.begin(), node.writes.end(), known)) {
            return fmt::format("n{} writes no value of the graph", id.index);
        }
    }
    return {};
}

std::string check_producers(const Graph& graph) {
    std::vector<int> sources(graph.values.size());
    for (ValueId v : graph.inputs) {
        ++sources[v.index];
        if (graph.values[v].producer) return fmt::format("input v{} has a producer", v.index);
    }
    for (NodeId id : graph.nodes.ids()) {
        for (ValueId v : graph.nodes[id].writes) {
            ++sources[v.index];
            if (graph.values[v].producer != id)
                return fmt::format("v{} does not name n{}, which writes it", v.index, id.index);
        }
        for (ValueId v : graph.nodes[id].reads) {
            const auto producer = graph.values[v].producer;
            if (producer && *producer >= id)
                return fmt::format("n{} reads v{} before it is produced", id.index, v.index);
        }
    }
    for (std::size_t v = 0; v < sources.size(); ++v) {
        if (sources[v] != 1) return fmt::format("v{} comes from {} places", v, sources[v]);
    }
    return {};
}

std::string check_update(const Node& node, const FieldUpdate& update, NodeId id) {
    const std::size_t operands = update.statement.operands.size();
    if (update.accesses.size() != operands) return fmt::format("n{}: one access an operand is wanted", id.index);
    if (node.reads.size() != operands + (update.former ? 1 : 0))
        return fmt::format("n{}: one read an operand is wanted", id.index);
    if (update.former && node.reads.back() != *update.former)
        return fmt::format("n{}: the former value is not read last", id.index);
    if (node.writes.size() != 1) return fmt::format("n{}: an update writes one value", id.index);
    return {};
}

std::string check_loop(const Node& node, const LoopNode& loop, NodeId id) {
    if (!loop.body) return fmt::format("n{}: a loop without a body", id.index);
    std::vector<ValueId> reads, writes, inputs;
    for (const Carried& c : loop.carried) {
        if (c.initial.has_value() != c.entering.has_value())
            return fmt::format("n{}: initial without entering", id.index);
        if (c.initial) reads.push_back(*c.initial);
        if (c.entering) inputs.push_back(*c.entering);
        writes.push_back(c.result);
        if (!contains(loop.body->outputs, c.leaving))
            return fmt::format("n{}: a leaving value is no output of the body", id.index);
    }
    for (const Captured& c : loop.captured) {
        reads.push_back(c.outer);
        inputs.push_back(c.inner);
    }
    std::vector<ValueId> expected = loop.body->inputs;
    std::sort(expected.begin(), expected.end());
    std::sort(inputs.begin(), inputs.end());
    if (inputs != expected) return fmt::format("n{}: the body's inputs are not what the loop hands in", id.index);
    if (reads != node.reads || writes != node.writes)
        return fmt::format("n{}: reads and writes are not those of the loop", id.index);
    if (loop.going && !contains(loop.body->inputs, *loop.going))
        return fmt::format("n{}: what its iterations depend on does not enter", id.index);
    const std::string inner = verify(*loop.body);
    return inner.empty() ? inner : fmt::format("n{}: {}", id.index, inner);
}

}  // namespace

std::string verify(const Graph& graph) {
    if (std::string fault = check_ids(graph); !fault.empty()) return fault;
    if (std::string fault = check_producers(graph); !fault.empty()) return fault;
    for (NodeId id : graph.nodes.ids()) {
        const Node& node = graph.nodes[id];
        std::string fault;
        if (const auto* update = std::get_if<FieldUpdate>(&node.what)) fault = check_update(node, *update, id);
        if (const auto* loop = std::get_if<LoopNode>(&node.what)) fault = check_loop(node, *loop, id);
        const bool transform = std::holds_alternative<Transform>(node.what);
        if (transform && node.reads.size() != 1) fault = fmt::format("n{}: a transform reads one value", id.index);
        if ((transform || std::holds_alternative<StreamCall>(node.what)) && node.writes.size() != 1) {
            fault = fmt::format("n{}: a call writes one value", id.index);
        }
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace kasc
