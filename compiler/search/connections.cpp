// Node ids are a topological order, so that one pass forwards closes `before`; `after` is its transpose.
//
//   t = f(a)  u = g(t)  w = h(t, u)      before[w] = {t, u}   after[t] = {u, w}
//   closure {t, w}: t, w, and what is after one and before another: u

#include "search/connections.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "graph/expand.hpp"
#include "graph/field_target.hpp"
#include "search/legality.hpp"
#include "search/loop_cells.hpp"
#include "search/transform_lines.hpp"

namespace kasc {

bool may_be_searched(const Graph& graph) {
    if (graph.nodes.size() > most_searched_calls) return false;
    std::set<std::pair<std::size_t, std::size_t>> statements;
    for (const Node& node : graph.nodes) statements.emplace(node.span.begin, node.span.end);
    return statements.size() <= most_searched_statements;
}

Members members_of(const NodeSet& set) {
    Members members;
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m))
        members.push_back(static_cast<std::uint32_t>(m));
    return members;
}

NodeSet set_of(const Members& members, std::size_t nodes) {
    NodeSet set(nodes);
    for (const std::uint32_t m : members) set.set(m);
    return set;
}

double sum_over(const NodeSet& set, const std::vector<double>& by_node) {
    double sum = 0;
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) sum += by_node[m];
    return sum;
}

NodeSet Connections::closure(const Members& members) const { return closure(set_of(members, before.size())); }

NodeSet Connections::closure(const NodeSet& set) const {
    NodeSet above(set.size()), below(set.size());
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) {
        above |= before[m];
        below |= after[m];
    }
    above &= below;
    above |= set;
    return above;
}

namespace {

void find_order(const Graph& graph, Connections& c) {
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        for (NodeId p : predecessors(graph, NodeId{n})) {
            c.before[n] |= c.before[p.index];
            c.before[n].set(p.index);
        }
        for (auto p = c.before[n].find_first(); p != NodeSet::npos; p = c.before[n].find_next(p)) c.after[p].set(n);
    }
}

void join(Connections& c, std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    c.adjacent[a].set(b);
    c.adjacent[b].set(a);
}

void find_neighbours(const Program& program, const Graph& graph, const SearchBounds& bounds, Connections& c) {
    std::vector<std::vector<std::uint32_t>> readers(graph.values.size());
    const auto is_transform = [&](NodeId n) { return std::holds_alternative<Transform>(graph.nodes[n].what); };
    const auto of_lines = [&](NodeId n) {
        return bounds.transform_lines && is_transform(n) && line_transform(program, graph, n).has_value();
    };
    const auto apart = [&](NodeId n) {
        if (is_transform(n)) return !bounds.storing_transforms && !of_lines(n);
        return std::holds_alternative<LoopNode>(graph.nodes[n].what) && !may_run_inside(graph, n) &&
               !is_loop_of_cells(program, graph, n);
    };
    for (NodeId n : graph.nodes.ids()) {
        if (apart(n)) continue;
        for (ValueId v : graph.nodes[n].reads) {
            const auto producer = graph.values[v].producer;
            if (producer && !apart(*producer) && (!is_transform(n) || of_lines(n))) join(c, producer->index, n.index);
        }
        // A call that shares a transform's source runs before the transform, which may destroy the source.
        if (is_transform(n) && !of_lines(n)) continue;
        for (ValueId v : values_read(graph, n)) readers[v.index].push_back(n.index);
    }
    for (const std::vector<std::uint32_t>& group : readers) {
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (std::size_t k = i + 1; k < group.size(); ++k) join(c, group[i], group[k]);
        }
    }
}

/// As words of a cell are that one statement assigns.
bool compute_alike(const Program& program, const FieldStatement& a, const FieldStatement& b) {
    return !a.fold && !b.fold && a.operands.size() == b.operands.size() &&
           operation_count(*a.value) == operation_count(*b.value) && free_axes(program, a) == free_axes(program, b);
}

/// Calls over the same cells that read nothing, calls of one number, and folds of the same parts, take a launch each
/// though little else, and what is computed alike may be the words of a cell: one behind the other they may be one
/// kernel.
void join_small_ones(const Program& program, const Graph& graph, Connections& c) {
    std::map<std::pair<bool, std::vector<AxisId>>, std::uint32_t> last;
    const FieldUpdate* before = nullptr;
    for (const NodeId n : graph.nodes.ids()) {
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[n].what);
        const FieldUpdate* other = std::exchange(before, update);
        if (update == nullptr) continue;
        if (other != nullptr && compute_alike(program, other->statement, update->statement))
            join(c, n.index - 1, n.index);
        const auto& fold = update->statement.fold;
        const bool second = fold && !fold->parts;
        const bool number = !fold && free_axes(program, update->statement).empty();
        if (!second && !number && (!graph.nodes[n].reads.empty() || fold)) continue;
        const auto [at, added] =
            last.try_emplace({second, second ? fold->axes : free_axes(program, update->statement)}, n.index);
        if (!added) join(c, std::exchange(at->second, n.index), n.index);
    }
}

/// By call, the cells that it goes through where it assigns each cell of a field, as most calls do.
std::vector<std::optional<std::vector<AxisId>>> whole_cells(const Program& program, const Graph& graph,
                                                            const LineCalls& lines) {
    std::vector<std::optional<std::vector<AxisId>>> cells(graph.nodes.size());
    for (const NodeId n : graph.nodes.ids()) {
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[n].what);
        if (update == nullptr || lines[n.index] || !is_whole(program, update->statement)) continue;
        cells[n.index] = free_axes(program, update->statement);
        std::sort(cells[n.index]->begin(), cells[n.index]->end());
    }
    return cells;
}

void find_together(const Program& program, const Graph& graph, const SearchBounds& bounds, Connections& c) {
    const auto cells = whole_cells(program, graph, c.roles.lines);
    for (std::uint32_t b = 0; b < graph.nodes.size(); ++b) {
        std::set<NodeId> handing;
        for (const ValueId v : graph.nodes[NodeId{b}].reads)
            if (const auto producer = graph.values[v].producer) handing.insert(*producer);
        for (std::uint32_t a = 0; a < b; ++a) {
            // Nearly all pairs: of the same cells, and neither waits for the other.
            const bool alike =
                cells[a] && cells[a] == cells[b] && !handing.contains(NodeId{a}) &&
                (c.roles.conditions.of_branches.empty() || asked_alike(c.roles.conditions, NodeId{a}, NodeId{b}));
            if (!alike && !may_stand_together(program, graph, c.roles, NodeId{a}, NodeId{b}, bounds)) continue;
            c.together[a].set(b);
            c.together[b].set(a);
        }
    }
}

}  // namespace

Connections find_connections(const Program& program, const Graph& graph, const SearchBounds& bounds) {
    const std::size_t n = graph.nodes.size();
    const std::vector<NodeSet> none(n, NodeSet(n));
    Connections c{none, none, none, none, find_call_roles(program, graph)};
    find_order(graph, c);
    find_neighbours(program, graph, bounds, c);
    join_small_ones(program, graph, c);
    find_together(program, graph, bounds, c);
    return c;
}

}  // namespace kasc
