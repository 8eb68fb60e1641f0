// Every graph of a program (a loop's body is one) has its fusions; a plan takes a selection in each graph. Selections
// are packed: from the candidates that no plan holds yet, two a fusion, in random order, those that share
// no call and do not wait for each other; what is left goes to single calls.
//
//     chain a b c:   plan 0  a | b | c      plan 1  ab | c      plan 2  a | bc      plan 3  abc

#include "random/plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/expand.hpp"
#include "schedule/verify.hpp"
#include "search/linearise.hpp"
#include "select/contraction.hpp"

namespace kasc::random {

namespace {

constexpr int most_threads = 1024, most_shared_bytes = 232448;  // an H100's
constexpr int candidates_a_fusion = 2;
constexpr int choices_tried = 12;
constexpr int choices_of_single_calls = 200;  // without them there is no plan at all

/// One graph with its fusions and the candidates made of them so far.
class GraphPlans {
public:
    GraphPlans(const Program& program, const Graph& graph, Enumerations& enumerations, Draw& draw, TestedPlans& result)
        : program_(program),
          graph_(std::make_shared<const Graph>(graph)),
          enumerations_(enumerations),
          draw_(draw),
          result_(result) {
        CostedSpace space;
        space.space = enumerate_fusions(program, graph, {});
        const std::vector<int> words = value_words(program, graph, enumerations.library());
        for (Fusion& fusion : space.space.fusions) fusion.calls = linearise(graph, fusion.calls, words);
        space.expanded = std::make_shared<const Graph>(expand_loops(graph));
        costed_ = std::make_shared<CostedSpace>(std::move(space));
        for (const FusionId id : costed_->space.fusions.ids()) find_candidates(id);
        for (const NodeId id : graph.nodes.ids()) {
            const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
            if (loop != nullptr) loops_.emplace(id, GraphPlans(program, *loop->body, enumerations, draw, result));
        }
    }

    [[nodiscard]] bool covered() const {
        return open_.empty() &&
               std::all_of(loops_.begin(), loops_.end(), [](const auto& l) { return l.second.covered(); });
    }

    /// Holds candidates that no plan has held yet, if there are any; `fuse` false: single calls only. The host runs the
    /// loops that no candidate holds.
    PlannedGraph next(bool fuse) {
        std::vector<std::size_t> chosen;
        std::set<NodeId> taken;
        std::vector<std::size_t> order(open_.begin(), open_.end());
        draw_.shuffle(order);
        for (const std::size_t candidate : order)
            if (fuse || is_single_call(candidate)) take(candidate, chosen, taken);
        for (const auto& [node, fusion] : singles_)
            if (!taken.contains(node)) chosen.push_back(*draw_until_feasible(fusion));
        Selection selection{chosen, 0, "random", ""};
        PlannedGraph planned{graph_, costed_, selection, launch_order(*graph_, *costed_, selection), {}, 0};
        for (auto& [id, loop] : loops_)
            if (!taken.contains(id)) planned.loops[id] = std::make_shared<const PlannedGraph>(loop.next(fuse));
        return planned;
    }

private:
    const Program& program_;
    std::shared_ptr<const Graph> graph_;
    Enumerations& enumerations_;
    Draw& draw_;
    TestedPlans& result_;
    std::shared_ptr<CostedSpace> costed_;
    std::map<NodeId, FusionId> singles_;
    std::set<std::size_t> open_;  ///< candidates that no plan holds yet
    std::map<NodeId, GraphPlans> loops_;

    [[nodiscard]] const std::vector<NodeId>& calls_of(std::size_t candidate) const {
        return costed_->space.fusions[costed_->candidates[candidate].fusion].calls;
    }

    [[nodiscard]] bool is_single_call(std::size_t candidate) const {
        const std::vector<NodeId>& calls = calls_of(candidate);
        return calls.size() == 1 && !std::holds_alternative<LoopNode>(graph_->nodes[calls.front()].what);
    }

    void find_candidates(FusionId id) {
        bool feasible = false;
        for (int k = 0; k < candidates_a_fusion; ++k) {
            const auto found = draw_until_feasible(id);
            if (found) open_.insert(*found);
            feasible = feasible || found;
        }
        ++(feasible ? result_.fusions : result_.refused);
        const std::vector<NodeId>& calls = costed_->space.fusions[id].calls;
        const bool loop = std::holds_alternative<LoopNode>(graph_->nodes[calls.front()].what);
        if (calls.size() == 1 && !loop && feasible) singles_.emplace(calls.front(), id);
    }

    std::optional<std::size_t> draw_until_feasible(FusionId id) {
        const int tried = costed_->space.fusions[id].calls.size() == 1 ? choices_of_single_calls : choices_tried;
        std::optional<std::size_t> found;
        for (int k = 0; k < tried && !found; ++k) found = draw_candidate(id);
        return found;
    }

    std::optional<std::size_t> draw_candidate(FusionId id) {
        const Fusion& fusion = costed_->space.fusions[id];
        StreamChoice choice;
        for (const NodeId call : functions_of(*costed_->expanded, fusion.calls)) {
            const FunctionId callee = std::get<StreamCall>(costed_->expanded->nodes[call].what).callee;
            const auto& all = enumerations_.library().functions[callee].implementations;
            choice.implementations.push_back(draw_.between(0, static_cast<int>(all.size()) - 1));
        }
        choice.elements = draw_.of<int>({8, 8, 8, 16, 16, 32, 12, 4});
        choice.batch = draw_.of<int>({1, 1, 1, 2, 3});
        choice.transfer = draw_.percent(50) ? TileTransfer::author : TileTransfer::staged;
        auto made = schedule_stream(program_, *costed_->expanded, enumerations_, fusion, choice, most_threads,
                                    most_shared_bytes);
        if (!made.value) return std::nullopt;
        for (const std::string& fault : verify(*made.value)) result_.faults.push_back("schedule: " + fault);
        costed_->candidates.push_back({id, std::move(*made.value), {}});
        return costed_->candidates.size() - 1;
    }

    /// Where its calls are free and the launches can still be ordered.
    void take(std::size_t candidate, std::vector<std::size_t>& chosen, std::set<NodeId>& taken) {
        const std::vector<NodeId>& calls = calls_of(candidate);
        if (std::any_of(calls.begin(), calls.end(), [&](NodeId c) { return taken.contains(c); })) return;
        chosen.push_back(candidate);
        if (!contract(*graph_, *costed_, chosen).cycles.empty()) {
            chosen.pop_back();
            return;
        }
        taken.insert(calls.begin(), calls.end());
        open_.erase(candidate);
    }
};

void collect_schedules(const PlannedGraph& planned, std::vector<StreamSchedule>& schedules) {
    for (const Launch& launch : planned.launches)
        if (const auto* candidate = std::get_if<std::size_t>(&launch.what))
            schedules.push_back(std::get<StreamSchedule>(planned.costed->candidates[*candidate].schedule));
    for (const auto& loop : planned.loops) collect_schedules(*loop.second, schedules);
}

}  // namespace

TestedPlans covering_plans(const Program& program, const Graph& graph, Enumerations& enumerations,
                           const std::string& prefix, Draw& draw) {
    TestedPlans result;
    GraphPlans plans(program, graph, enumerations, draw, result);
    const Library& library = enumerations.library();
    for (bool fuse = false; !fuse || !plans.covered(); fuse = true) {
        const PlannedGraph planned = plans.next(fuse);
        const std::string name = fmt::format("{}_{}", prefix, result.plans.size());
        TestedPlan plan{build_host_plan(program, library, planned, name), {}};
        collect_schedules(planned, plan.schedules);
        for (const kernel::Lowered& lowered : plan.host.kernels)
            for (const kernel::Kernel& k : lowered.alternatives)
                if (const std::string fault = kernel::verify(k); !fault.empty())
                    result.faults.push_back("kernel: " + fault);
        result.plans.push_back(std::move(plan));
    }
    return result;
}

}  // namespace kasc::random
