#include "plan/taken_over.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frontend/same_expression.hpp"
#include "search/set_rules.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

bool is_loop(const Graph& graph, NodeId node) { return std::holds_alternative<LoopNode>(graph.nodes[node].what); }

std::vector<NodeId> calls_outside(const Graph& graph) {
    std::vector<NodeId> calls;
    for (const NodeId node : graph.nodes.ids())
        if (!is_loop(graph, node)) calls.push_back(node);
    return calls;
}

/// Calls of two graphs, beside each other in the order of the program.
class SameCalls {
public:
    SameCalls(const Graph& a, const Graph& b) : a_(a), b_(b), of_a_(calls_outside(a)), of_b_(calls_outside(b)) {}

    [[nodiscard]] bool are_all() const {
        if (of_a_.size() != of_b_.size() || a_.outputs.size() != b_.outputs.size()) return false;
        for (std::size_t k = 0; k < of_a_.size(); ++k)
            if (!are_same(of_a_[k], of_b_[k])) return false;
        return std::equal(a_.outputs.begin(), a_.outputs.end(), b_.outputs.begin(),
                          [&](ValueId a, ValueId b) { return are_same(a, b); });
    }
    /// The number among those of either that a call of the first has.
    [[nodiscard]] NodeId of_b(NodeId of_a) const {
        return of_b_[static_cast<std::size_t>(std::lower_bound(of_a_.begin(), of_a_.end(), of_a) - of_a_.begin())];
    }

private:
    const Graph &a_, &b_;
    const std::vector<NodeId> of_a_, of_b_;

    [[nodiscard]] bool are_same(ValueId a, ValueId b) const {
        if (a_.values[a].variable != b_.values[b].variable) return false;
        const auto by = a_.values[a].producer, by_other = b_.values[b].producer;
        if (by.has_value() != by_other.has_value()) return false;
        if (!by) return true;
        if (is_loop(a_, *by)) return is_loop(b_, *by_other);
        return !is_loop(b_, *by_other) && of_b(*by) == *by_other;
    }
    [[nodiscard]] bool are_same(const std::vector<ValueId>& a, const std::vector<ValueId>& b) const {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](ValueId x, ValueId y) { return are_same(x, y); });
    }
    [[nodiscard]] bool are_same(NodeId a, NodeId b) const {
        const Node &x = a_.nodes[a], &y = b_.nodes[b];
        if (x.what.index() != y.what.index() || x.span.begin != y.span.begin || x.span.end != y.span.end ||
            !are_same(x.reads, y.reads) || !are_same(x.writes, y.writes))
            return false;
        const auto* update = std::get_if<FieldUpdate>(&x.what);
        return update == nullptr ||
               same_expression(update->statement.value, std::get<FieldUpdate>(y.what).statement.value);
    }
};

}  // namespace

std::optional<FusionSpace> taken_over(const Graph& graph, const PlannedGraph& plan) {
    if (plan.costed->space.whole) return std::nullopt;
    const SameCalls calls(*plan.graph, graph);
    if (!calls.are_all()) return std::nullopt;
    FusionSpace space;
    const FusionMaker maker(graph);
    for (const NodeId call : calls_outside(graph)) space.fusions.add(maker.of({call.index}));
    for (const Launch& launch : plan.launches) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) continue;
        const CostedSpace& costed = *plan.costed;
        Members members;
        for (const NodeId call : costed.space.fusions[costed.candidates[*candidate].fusion].calls) {
            if (is_loop(*plan.graph, call)) return std::nullopt;
            members.push_back(calls.of_b(call).index);
        }
        std::sort(members.begin(), members.end());
        if (members.size() > 1) space.fusions.add(maker.of(members));
    }
    return space;
}

void take_over_bound(CostedSpace& costed, const PlannedGraph& plan) {
    const auto sum = [](const std::map<NodeId, double>& loops) {
        return std::accumulate(loops.begin(), loops.end(), 0.0,
                               [](double all, const auto& loop) { return all + loop.second; });
    };
    const CostedSpace& known = *plan.costed;
    std::string& cut = costed.space.cut;
    cut += std::string(cut.empty() ? "" : "; ") + "kernels outside loops are those of single steps";
    costed.space.whole = false;
    if (known.at_least_ns == 0) return;
    const double more_ns = sum(costed.loop_ns) - sum(known.loop_ns);
    costed.at_least_ns = known.at_least_ns + more_ns;
    costed.in_part = known.in_part;
    costed.in_units = known.in_units;
    cut += fmt::format(": no selection with another is faster by more than {:.1f} %{}{}",
                       100 * std::max(0.0, 1 - costed.at_least_ns / (plan.selection.time_ns + more_ns)),
                       known.in_part || known.in_units ? "," : "", what_is_tried(known.in_part, known.in_units));
}

}  // namespace kasc
