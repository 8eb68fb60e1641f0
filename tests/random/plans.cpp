// Every graph of a program (a loop's body is one) has its fusions; a plan takes a selection in each graph. Selections
// are packed: from the fusions that no plan holds yet, in random order, those that share no call and do not wait for
// each other; what is left goes to single calls.
//
//     chain a b c:   plan 0  a | b | c      plan 1  ab | c      plan 2  a | bc      plan 3  abc

#include "random/plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "schedule/verify.hpp"
#include "select/contraction.hpp"

namespace kasc::random {

namespace {

constexpr int most_threads = 1024, most_shared_bytes = 232448;  // an H100's
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
        space.space = enumerate_fusions(program, graph, enumerations.library(), {});
        costed_ = std::make_shared<CostedSpace>(std::move(space));
        for (const FusionId id : costed_->space.fusions.ids()) find_candidate(id);
        for (const NodeId id : graph.nodes.ids()) {
            const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
            if (loop != nullptr) loops_.emplace(id, GraphPlans(program, *loop->body, enumerations, draw, result));
        }
    }

    [[nodiscard]] bool covered() const {
        return open_.empty() &&
               std::all_of(loops_.begin(), loops_.end(), [](const auto& l) { return l.second.covered(); });
    }

    /// Holds fusions that no plan has held yet, if there are any; `fuse` false: single calls only.
    PlannedGraph next(bool fuse) {
        std::vector<std::size_t> chosen;
        std::set<NodeId> taken;
        if (fuse) take_open(chosen, taken);
        for (const NodeId id : graph_->nodes.ids()) {
            if (std::holds_alternative<LoopNode>(graph_->nodes[id].what) || taken.contains(id)) continue;
            const auto& known = singles_.at(id);
            const auto again = draw_candidate(costed_->candidates[known].fusion);
            chosen.push_back(again.value_or(known));
            open_.erase(costed_->candidates[known].fusion);
        }
        Selection selection{chosen, 0, "random", ""};
        PlannedGraph planned{graph_, costed_, selection, launch_order(*graph_, *costed_, selection), {}, 0};
        for (auto& [id, loop] : loops_) planned.loops[id] = std::make_shared<const PlannedGraph>(loop.next(fuse));
        return planned;
    }

private:
    const Program& program_;
    std::shared_ptr<const Graph> graph_;
    Enumerations& enumerations_;
    Draw& draw_;
    TestedPlans& result_;
    std::shared_ptr<CostedSpace> costed_;
    std::map<FusionId, std::size_t> candidate_of_;  ///< the first candidate of each feasible fusion
    std::map<NodeId, std::size_t> singles_;
    std::set<FusionId> open_;  ///< feasible fusions that no plan holds yet
    std::map<NodeId, GraphPlans> loops_;

    void find_candidate(FusionId id) {
        std::optional<std::size_t> found;
        const int tried = costed_->space.fusions[id].calls.size() == 1 ? choices_of_single_calls : choices_tried;
        for (int k = 0; k < tried && !found; ++k) found = draw_candidate(id);
        if (!found) {
            ++result_.refused;
            return;
        }
        ++result_.fusions;
        candidate_of_.emplace(id, *found);
        open_.insert(id);
        const std::vector<NodeId>& calls = costed_->space.fusions[id].calls;
        if (calls.size() == 1) singles_.emplace(calls.front(), *found);
    }

    std::optional<std::size_t> draw_candidate(FusionId id) {
        const Fusion& fusion = costed_->space.fusions[id];
        StreamChoice choice;
        for (const NodeId call : fusion.calls) {
            const auto& callee =
                enumerations_.library().functions[std::get<StreamCall>(graph_->nodes[call].what).callee];
            choice.implementations.push_back(draw_.between(0, static_cast<int>(callee.implementations.size()) - 1));
        }
        choice.elements = draw_.of<int>({8, 8, 8, 16, 16, 32, 12, 4});
        choice.batch = draw_.of<int>({1, 1, 1, 2, 3});
        choice.transfer = draw_.percent(50) ? TileTransfer::author : TileTransfer::staged;
        auto made = schedule_stream(program_, *graph_, enumerations_, fusion, choice, most_threads, most_shared_bytes);
        if (!made.value) return std::nullopt;
        for (const std::string& fault : verify(*made.value)) result_.faults.push_back("schedule: " + fault);
        ++result_.candidates;
        costed_->candidates.push_back({id, std::move(*made.value), {}});
        return costed_->candidates.size() - 1;
    }

    void take_open(std::vector<std::size_t>& chosen, std::set<NodeId>& taken) {
        std::vector<FusionId> order(open_.begin(), open_.end());
        draw_.shuffle(order);
        for (const FusionId id : order) {
            const std::vector<NodeId>& calls = costed_->space.fusions[id].calls;
            if (std::any_of(calls.begin(), calls.end(), [&](NodeId c) { return taken.contains(c); })) continue;
            chosen.push_back(candidate_of_.at(id));
            if (!contract(*graph_, *costed_, chosen).cycles.empty()) {
                chosen.pop_back();
                continue;
            }
            taken.insert(calls.begin(), calls.end());
            open_.erase(id);
        }
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
