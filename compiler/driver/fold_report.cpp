// A fold joins what computes its cells, shares a reading with other folds, is completed by blocks that have whole lines
// or by each block that needs it, or stands alone. Of one that stands alone the search has priced the kernels that it
// might have been in, or refused them: the nearest of these is the reason.
//
//   pq_parts = sum(p*q)   k3: joins what computes its cells, q
//   pq       = sum(p*q)   k4: each block folds its parts, for x and r
//   next     = sum(r*r)   k5: alone: with p 14.1 us, by themselves 9.8 us
//   total    = sum(x)     k7: joined by the last block of k6
#include "driver/fold_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "search/prologue.hpp"

namespace kasc {

namespace {

const Fold* fold_in(const Graph& graph, NodeId node) {
    const auto* update = std::get_if<FieldUpdate>(&graph.nodes[node].what);
    return update != nullptr && update->statement.fold ? &*update->statement.fold : nullptr;
}

class FoldReasons {
public:
    FoldReasons(const Compilation& c, const PlannedGraph& planned)
        : c_(c), graph_(*planned.graph), costed_(*planned.costed) {}

    [[nodiscard]] std::string reason(NodeId fold, const std::vector<NodeId>& calls) const {
        const bool joins = !fold_in(graph_, fold)->parts;
        bool completed = false;
        std::vector<NodeId> makers, readers, others;  // of its cells, of its result, and folds like it
        for (const NodeId call : calls) {
            if (call == fold || call.index >= graph_.nodes.size()) continue;
            if (reads(fold, call)) makers.push_back(call);
            if (reads(call, fold)) readers.push_back(call);
            const Fold* other = fold_in(graph_, call);
            if (other != nullptr && other->parts.has_value() != joins) others.push_back(call);
            completed = completed || (other != nullptr && !joins && reads(call, fold));
        }
        const std::vector<NodeId> prologue =
            split_prologue(graph_, find_prologue_roles(c_.program, graph_), calls).prologue;
        if (std::find(prologue.begin(), prologue.end(), fold) != prologue.end())
            return fmt::format("each block folds its parts, for {}", names(readers));
        if (joins && !makers.empty()) return "completed where its parts are folded: a block has them all";
        if (!makers.empty()) return fmt::format("joins what computes its cells: {}", names(makers));
        if (!others.empty()) return fmt::format("shares its reading with {}", names(others));
        if (completed) return "a block has all of its cells, and completes it";
        if (calls.size() > 1) return "shares its reading with what is computed at its cells";
        return "alone: " + apart(fold);
    }

private:
    const Compilation& c_;
    const Graph& graph_;
    const CostedSpace& costed_;

    [[nodiscard]] bool reads(NodeId reader, NodeId producer) const {
        const auto& read = graph_.nodes[reader].reads;
        return std::any_of(read.begin(), read.end(), [&](ValueId v) { return graph_.values[v].producer == producer; });
    }
    [[nodiscard]] std::string names(const std::vector<NodeId>& calls) const {
        std::vector<std::string> all;
        for (const NodeId call : calls)
            all.push_back(value_name(graph_, c_.program, graph_.nodes[call].writes.front()));
        return fmt::format("{}", fmt::join(all, ", "));
    }

    /// The least time of each kernel that was priced, by its calls.
    [[nodiscard]] std::map<std::vector<NodeId>, double> least_times() const {
        std::map<std::vector<NodeId>, double> least;
        for (const Candidate& candidate : costed_.candidates) {
            std::vector<NodeId> calls = costed_.space.fusions[candidate.fusion].calls;
            std::sort(calls.begin(), calls.end());
            const double time = candidate.prediction.time_ns;
            const auto [at, added] = least.try_emplace(std::move(calls), time);
            if (!added) at->second = std::min(at->second, time);
        }
        return least;
    }

    /// The kernel of two calls, one of them the fold, that loses least; or why there is none.
    [[nodiscard]] std::string apart(NodeId fold) const {
        const auto least = least_times();
        const auto alone = [&](NodeId call) {
            const auto found = least.find({call});
            return found == least.end() ? std::numeric_limits<double>::infinity() : found->second;
        };
        std::string text;
        double least_loss = std::numeric_limits<double>::infinity();
        for (const auto& [calls, time] : least) {
            if (calls.size() != 2 || std::find(calls.begin(), calls.end(), fold) == calls.end()) continue;
            const double by_themselves = alone(calls[0]) + alone(calls[1]);
            if (time - by_themselves >= least_loss) continue;
            least_loss = time - by_themselves;
            const NodeId other = calls[0] == fold ? calls[1] : calls[0];
            text = fmt::format("with {} {}, by themselves {}{}", names({other}), time_text(time),
                               time_text(by_themselves), least_loss < 0 ? "; that is faster in another kernel" : "");
        }
        if (!text.empty()) return text;
        for (const auto* refused : {&costed_.space.refusals, &costed_.infeasible})
            for (const Refusal& refusal : *refused)
                if (std::find(refusal.calls.begin(), refusal.calls.end(), fold) != refusal.calls.end())
                    return refusal.reason;
        return "no other call has its cells";
    }
};

}  // namespace

std::vector<FoldPlace> fold_places(const Compilation& c, const PlannedGraph& planned,
                                   const std::map<const Candidate*, std::string>& names) {
    std::vector<FoldPlace> places;
    const std::vector<Completion>& completions = c.plans.front().host->completions;
    for (const GraphInPlan& g : graphs_of(c, planned)) {
        const Graph& graph = *g.planned->graph;
        const FoldReasons reasons(c, *g.planned);
        for (const Candidate* candidate : chosen(*g.planned)) {
            const std::vector<NodeId>& calls = fusion_of(candidate->schedule).calls;
            for (const NodeId call : calls) {
                if (call.index >= graph.nodes.size() || fold_in(graph, call) == nullptr) continue;
                const std::string& kernel = names.at(candidate);
                const auto completion = std::find_if(completions.begin(), completions.end(), [&](const Completion& k) {
                    return k.kernel == kernel && k.verdict;
                });
                places.push_back({node_text(graph, c.program, call), kernel,
                                  completion != completions.end() ? "joined " + completion->verdict.reason()
                                                                  : reasons.reason(call, calls)});
            }
        }
    }
    return places;
}

}  // namespace kasc
