// Legality is decided for pairs once (connections.cpp) and for sets by what lies between their calls, which any convex
// set must take in, and by what near reads inside of them compute anew.

#include "search/set_rules.hpp"

#include <algorithm>

#include "graph/expand.hpp"
#include "search/legality.hpp"
#include "search/loop_cells.hpp"
#include "search/prologue.hpp"
#include "search/transform_lines.hpp"

namespace kasc {

namespace {

std::size_t calls_in(const Graph& body) {
    std::size_t count = 0;
    for (const Node& node : body.nodes) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        count += loop == nullptr ? 1 : calls_in(*loop->body);
    }
    return count;
}

}  // namespace

std::vector<NodeId> node_ids(const Members& members) {
    std::vector<NodeId> ids;
    for (std::uint32_t m : members) ids.push_back(NodeId{m});
    return ids;
}

SetRules::SetRules(const Program& program, const Graph& graph, const SearchBounds& bounds)
    : program_(program),
      graph_(graph),
      bounds_(bounds),
      connections_(find_connections(program, graph, bounds)),
      recomputation_(program, graph) {}

bool SetRules::may_stand_in_a_kernel(NodeId node) const {
    const auto* loop = std::get_if<LoopNode>(&graph_.nodes[node].what);
    if (loop == nullptr) return true;
    if (is_loop_of_cells(program_, graph_, node)) return bounds_.max_calls > 1;
    return bounds_.max_calls > 1 && may_run_inside(graph_, node) &&
           calls_in(*loop->body) <= static_cast<std::size_t>(bounds_.max_calls);
}

SetState SetRules::state(const Members& members) const {
    SetState state;
    const NodeSet closure = connections_.closure(members);
    const std::size_t size = closure.count();
    NodeSet others = closure;
    for (std::uint32_t m : members) {
        others.reset(m);
        if (!others.is_subset_of(connections_.together[m])) return state;
        others.set(m);
    }
    if (size > static_cast<std::size_t>(std::max(1, bounds_.max_calls))) {
        state.too_large = true;
        return state;
    }
    const std::vector<NodeId> calls = node_ids(members);
    Verdict work = recomputation_.bounded(calls);
    if (!work && !(bounds_.pipelines && may_be_pipelined(program_, graph_, calls))) {
        state.recomputes = work.reason();
        return state;
    }
    state.ends = false;
    state.complete = size == members.size() && is_complete(members);
    return state;
}

bool SetRules::is_complete(const Members& members) const {
    const std::vector<NodeId> calls = node_ids(members);
    return lines_complete(program_, graph_, connections_.roles.lines, calls) &&
           transforms_complete(program_, graph_, calls) &&
           prologue_complete(program_, graph_, connections_.roles.prologues, calls);
}

bool SetRules::is_fusion(const Members& members) const {
    const SetState found = state(members);
    if (found.ends || !found.complete) return false;
    NodeSet rest(graph_.nodes.size());
    for (const std::uint32_t m : members) {
        if (!may_stand_in_a_kernel(NodeId{m})) return false;
        rest.set(m);
    }
    Members reached{members.front()};
    rest.reset(members.front());
    while (!reached.empty()) {
        const NodeSet near = connections_.adjacent[reached.back()] & rest;
        reached.pop_back();
        rest -= near;
        const Members more = members_of(near);
        reached.insert(reached.end(), more.begin(), more.end());
    }
    return rest.none();
}

std::vector<Refusal> SetRules::refused_pairs(bool& more) const {
    std::vector<Refusal> refusals;
    more = false;
    for (std::uint32_t a = 0; a < graph_.nodes.size() && bounds_.max_calls > 1; ++a) {
        for (auto b = connections_.adjacent[a].find_next(a); b != NodeSet::npos;
             b = connections_.adjacent[a].find_next(b)) {
            const NodeId second{static_cast<std::uint32_t>(b)};
            Verdict verdict = may_stand_together(program_, graph_, connections_.roles, NodeId{a}, second, bounds_);
            if (verdict) verdict = convex_within_bound(a, second.index);
            if (verdict) continue;
            if (refusals.size() == most_pair_refusals) {
                more = true;
                return refusals;
            }
            refusals.push_back({{NodeId{a}, second}, verdict.reason()});
        }
    }
    return refusals;
}

/// What lies between two calls may stand in their kernel, too, unless that makes it too large.
Verdict SetRules::convex_within_bound(std::uint32_t a, std::uint32_t b) const {
    Verdict verdict = convex(graph_, {NodeId{a}, NodeId{b}}, program_);
    if (verdict) return verdict;
    const std::size_t calls = connections_.closure(Members{a, b}).count();
    return calls > static_cast<std::size_t>(bounds_.max_calls) ? within_bound(calls, bounds_) : verdict;
}

FusionMaker::FusionMaker(const Graph& graph) : graph_(graph), readers_(graph.values.size()) {
    for (NodeId n : graph.nodes.ids()) {
        for (ValueId v : graph.nodes[n].reads) readers_[v.index].push_back(n);
    }
}

Fusion FusionMaker::of(const Members& members) const {
    Fusion fusion;
    fusion.calls = node_ids(members);
    const auto inside = [&](NodeId n) { return std::binary_search(members.begin(), members.end(), n.index); };
    for (NodeId call : fusion.calls) {
        for (ValueId v : values_read(graph_, call)) {
            const auto producer = graph_.values[v].producer;
            if (!producer || !inside(*producer)) fusion.inputs.push_back(v);
        }
        for (ValueId v : graph_.nodes[call].writes) {
            const bool handed_on = std::find(graph_.outputs.begin(), graph_.outputs.end(), v) != graph_.outputs.end();
            const bool read_outside = !std::all_of(readers_[v.index].begin(), readers_[v.index].end(), inside);
            (handed_on || read_outside ? fusion.outputs : fusion.inner).push_back(v);
        }
    }
    for (auto* list : {&fusion.inputs, &fusion.outputs, &fusion.inner}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return fusion;
}

}  // namespace kasc
