// Set partitioning: a row a call or loop, a column a candidate, or a loop that the host runs, costs in picoseconds as
// integers. The n best selections are
// found one after the other; each is excluded from the next solve by a cut that forbids all its columns together.
//
// Fusions that are convex one by one may wait for each other (contraction.cpp shows two). A solution with such fusions
// is none: a cut forbids them together, with any of their candidates, and the problem is solved again.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "select/apart.hpp"
#include "select/contraction.hpp"
#include "select/partition.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Programs of up to a hundred calls solve in well under a second; this is for those that do not.
constexpr int seconds_a_solve = 20;
constexpr int seconds_in_all = 60;
/// Cuts against waiting fusions in one problem; programs have a few.
constexpr int most_cycle_cuts = 1000;

std::string bound_text(const CostedSpace& costed) {
    return costed.space.whole ? "optimal for the model" : "the best of what was searched, for the model";
}

class ExactSearch {
public:
    ExactSearch(const Graph& graph, const CostedSpace& costed, std::size_t count) : graph_(graph), costed_(costed) {
        std::map<NodeId, int> rows;
        for (NodeId call : calls_to_cover(graph)) rows.emplace(call, static_cast<int>(rows.size()));
        for (const auto& [loop, time] : costed.loop_ns) {
            problem_.columns.push_back({{static_cast<int>(rows.size())}, std::llround(time * 1000)});
            candidates_.push_back(std::nullopt);
            rows.emplace(loop, static_cast<int>(rows.size()));
        }
        problem_.rows = static_cast<int>(rows.size());
        std::set<FusionId> seen;
        for (std::size_t c = 0; c < costed.candidates.size(); ++c) {
            const Candidate& candidate = costed.candidates[c];
            // Candidates of a fusion stand in order of time: the best selection needs the first alone.
            if (!seen.insert(candidate.fusion).second && count == 1) continue;
            Column column{{}, std::llround(candidate.prediction.time_ns * 1000)};
            for (NodeId call : fusion_of(candidate.schedule).calls) column.rows.push_back(rows.at(call));
            problem_.columns.push_back(std::move(column));
            candidates_.emplace_back(c);
        }
    }

    /// The best selection that no cut forbids; none where there is no more, or none was found in time.
    std::optional<Selection> next() {
        for (; cycle_cuts_ <= most_cycle_cuts; ++cycle_cuts_) {
            if (std::chrono::steady_clock::now() > deadline_) break;
            PartitionResult result = solve_partition(problem_, seconds_a_solve);
            if (!result.solution) {
                gave_up_ = result.out_of_time;
                return std::nullopt;
            }
            std::vector<std::size_t> chosen;
            for (int column : result.solution->columns)
                if (const auto& candidate = candidates_[static_cast<std::size_t>(column)]) chosen.push_back(*candidate);
            const Contraction contraction = contract(graph_, costed_, chosen);
            if (!contraction.cycles.empty()) {
                for (const auto& cycle : contraction.cycles) forbid_cycle(cycle);
                continue;
            }
            const int most = static_cast<int>(result.solution->columns.size()) - 1;
            const std::string bound = result.solution->optimal
                                          ? bound_text(costed_)
                                          : fmt::format("the best that lp_solve found in {} s", seconds_a_solve);
            problem_.cuts.push_back({std::move(result.solution->columns), most});
            return make_selection(graph_, costed_, chosen, "exact", bound);
        }
        gave_up_ = true;
        return std::nullopt;
    }

    [[nodiscard]] bool gave_up() const { return gave_up_; }

private:
    /// Not all fusions of the cycle together, whichever of their candidates.
    void forbid_cycle(const std::vector<std::size_t>& cycle) {
        std::set<FusionId> fusions;
        for (std::size_t candidate : cycle) fusions.insert(costed_.candidates[candidate].fusion);
        ColumnCut cut{{}, static_cast<int>(fusions.size()) - 1};
        for (std::size_t column = 0; column < candidates_.size(); ++column) {
            if (candidates_[column] && fusions.contains(costed_.candidates[*candidates_[column]].fusion))
                cut.columns.push_back(static_cast<int>(column));
        }
        problem_.cuts.push_back(std::move(cut));
    }

    const Graph& graph_;
    const CostedSpace& costed_;
    PartitionProblem problem_;
    std::vector<std::optional<std::size_t>> candidates_;  // by column; none: a loop of the host's
    int cycle_cuts_ = 0;
    bool gave_up_ = false;
    std::chrono::steady_clock::time_point deadline_ =
        std::chrono::steady_clock::now() + std::chrono::seconds(seconds_in_all);
};

class Exact : public Strategy {
public:
    std::string name() const override { return "exact"; }
    std::vector<Selection> select(const Graph& graph, const CostedSpace& costed, std::size_t count) const override {
        std::vector<Selection> found;
        if (stands_apart(costed)) {
            for (const auto& chosen : best_apart(graph, costed, count))
                found.push_back(make_selection(graph, costed, chosen, name(), bound_text(costed)));
            return found;
        }
        ExactSearch search(graph, costed, count);
        while (found.size() < count) {
            auto selection = search.next();
            if (!selection) break;
            found.push_back(std::move(*selection));
        }
        if (found.empty() && count > 0 && search.gave_up()) {
            found = make_greedy()->select(graph, costed, 1);
            for (Selection& selection : found) {
                selection.bound = fmt::format("lp_solve found nothing within its limits; {}", selection.bound);
            }
        }
        return found;
    }
};

}  // namespace

std::unique_ptr<Strategy> make_exact() { return std::make_unique<Exact>(); }

}  // namespace kasc
