// Set partitioning: a row a call or loop, a column a candidate, or a loop that the host runs, costs in picoseconds as
// integers. The n best selections are
// found one after the other; each is excluded from the next solve by a cut that forbids all its columns together.
//
// Fusions that are convex one by one may wait for each other (contraction.cpp shows two). A solution with such fusions
// is none: cuts forbid all fusions that would wait so, and the problem is solved again.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "select/apart.hpp"
#include "select/contraction.hpp"
#include "select/partition.hpp"
#include "select/relaxation.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Steps of lp_solve for a selection, times the columns of the problem: a step takes some 30 ns a column. Programs of
/// up to a hundred calls take some hundreds of steps; this is for those that do not end.
constexpr long solver_work_a_selection = 8'000'000, fewest_solver_steps = 5'000, most_solver_steps = 40'000;
/// Steps of all solutions together: so many times those of one.
constexpr long solutions = 3;
/// Rounding in lp_solve's values.
constexpr double rounding = 1e-6;
/// In a problem of many columns, selections beyond the best are among those that are at most so much slower.
constexpr std::size_t large_problem = 500;
constexpr double slower_too = 1.1;
/// Waits between fusions of which the last is tried besides the first.
constexpr std::size_t most_chosen = 3;
/// Cuts against waiting fusions in one problem; programs have a few.
constexpr int most_cycle_cuts = 1000;

std::string bound_text(const CostedSpace& costed) {
    if (costed.space.whole) return "optimal for the model";
    return costed.at_least_ns > 0 ? "the best of what was priced" : "the best of what was searched, for the model";
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
        const long columns = std::max<long>(1, static_cast<long>(problem_.columns.size()));
        steps_a_selection_ = std::clamp(solver_work_a_selection / columns, fewest_solver_steps, most_solver_steps);
        steps_left_ = solutions * steps_a_selection_;
    }

    /// The best selection that no cut forbids; none where there is no more, or the work is used up.
    std::optional<Selection> next() {
        for (; cycle_cuts_ <= most_cycle_cuts; ++cycle_cuts_) {
            if (steps_left_ <= 0) break;
            long steps = std::min(steps_a_selection_, steps_left_);
            steps_left_ -= steps;
            PartitionResult result = solve_partition(problem_, steps);
            steps_left_ += std::max(0L, steps);
            if (!result.solution && result.gave_up && !start_.columns.empty())
                result.solution = PartitionSolution{{}, std::numeric_limits<std::int64_t>::max(), false};
            if (!result.solution) {
                gave_up_ = result.gave_up;
                return std::nullopt;
            }
            std::string bound = bound_text(costed_);
            if (!result.solution->optimal) {
                bound = fmt::format("the best that lp_solve found in {} steps", steps_a_selection_);
                use_start(*result.solution, bound);
            }
            const std::vector<std::size_t> chosen = candidates_of(result.solution->columns);
            const Contraction contraction = contract(graph_, costed_, chosen);
            if (!contraction.cycles.empty()) {
                for (const auto& cycle : contraction.cycles) forbid_cycle(cycle);
                continue;
            }
            const int most = static_cast<int>(result.solution->columns.size()) - 1;
            problem_.cuts.push_back({std::move(result.solution->columns), most});
            return make_selection(graph_, costed_, chosen, "exact", bound);
        }
        gave_up_ = true;
        return std::nullopt;
    }

    /// Leaves out columns that no selection has which is faster than `start`. Requires: one selection is wanted.
    void start_from(const Selection& start) {
        const std::set<int> columns = columns_of(start);
        const Relaxation relaxation = relax_partition(problem_);
        std::int64_t cost = 0;
        for (const int column : columns) cost += problem_.columns[static_cast<std::size_t>(column)].cost;
        const std::vector<int> kept =
            leave_out(relaxation, static_cast<double>(cost) * (1 + rounding) - relaxation.value, columns);
        start_ = {kept, cost, false};
    }

    /// Finds selections after this one, of a large problem those that take at most `slower_too` times as long.
    void go_on_after(const Selection& best) {
        std::set<int> columns = columns_of(best);
        std::vector<int> forbidden(columns.begin(), columns.end());
        if (problem_.columns.size() > large_problem) {
            const Relaxation relaxation = relax_partition(problem_);
            forbidden = leave_out(relaxation, best.time_ns * 1000 * slower_too - relaxation.value, columns);
        }
        const int most = static_cast<int>(forbidden.size()) - 1;
        problem_.cuts.push_back({std::move(forbidden), most});
    }

    [[nodiscard]] bool gave_up() const { return gave_up_; }

private:
    /// With the loops that the host runs.
    [[nodiscard]] std::set<int> columns_of(const Selection& selection) const {
        const std::set<std::size_t> wanted(selection.candidates.begin(), selection.candidates.end());
        std::set<int> columns, covered;
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            if (!candidates_[c] || !wanted.contains(*candidates_[c])) continue;
            columns.insert(static_cast<int>(c));
            covered.insert(problem_.columns[c].rows.begin(), problem_.columns[c].rows.end());
        }
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            if (!candidates_[c] && !covered.contains(problem_.columns[c].rows.front()))
                columns.insert(static_cast<int>(c));
        }
        return columns;
    }

    /// Drops columns that make every selection slower than the relaxation by more than `gain`; where `kept` is now.
    std::vector<int> leave_out(const Relaxation& relaxation, double gain, const std::set<int>& kept) {
        PartitionProblem fewer{problem_.rows, {}, {}};
        std::vector<std::optional<std::size_t>> candidates;
        std::vector<int> now;
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            const bool keep = kept.contains(static_cast<int>(c));
            if (!keep && relaxation.reduced_costs[c] > gain) continue;
            if (keep) now.push_back(static_cast<int>(candidates.size()));
            fewer.columns.push_back(std::move(problem_.columns[c]));
            candidates.push_back(candidates_[c]);
        }
        problem_ = std::move(fewer);
        candidates_ = std::move(candidates);
        return now;
    }

    [[nodiscard]] std::vector<std::size_t> candidates_of(const std::vector<int>& columns) const {
        std::vector<std::size_t> chosen;
        for (const int column : columns)
            if (const auto& candidate = candidates_[static_cast<std::size_t>(column)]) chosen.push_back(*candidate);
        return chosen;
    }

    /// Where what was known before is faster than what lp_solve found.
    void use_start(PartitionSolution& solution, std::string& bound) {
        if (start_.columns.empty() || start_.cost >= solution.cost) return;
        solution = std::exchange(start_, {});
        bound = fmt::format("lp_solve found nothing better in {} steps", steps_a_selection_);
    }

    /// Fusions that wait for each other are not taken together, nor others with the same calls for which they wait.
    void forbid_cycle(const std::vector<std::size_t>& cycle) {
        const std::vector<std::vector<Wait>> around = shortest_way_around(graph_, costed_, cycle);
        if (around.empty()) return forbid_together(cycle);
        // The first and the last of the waits between two fusions are tried: others are like one of them.
        std::vector<std::size_t> chosen(around.size());
        for (std::size_t combination = 0; combination < std::size_t{1} << std::min(around.size(), most_chosen);
             ++combination) {
            std::vector<Wait> waits;
            bool twice = false;
            for (std::size_t k = 0; k < around.size(); ++k) {
                const bool last = k < most_chosen && (combination >> k & 1) != 0;
                twice = twice || (last && around[k].size() == 1);
                waits.push_back(last ? around[k].back() : around[k].front());
            }
            if (!twice) problem_.cuts.push_back(cut_of(waits));
        }
    }
    /// The cut that allows all but one at most of the fusions that hold a call that waits and the call for which the
    /// next one waits; a fusion that holds all these calls has nothing to wait for.
    [[nodiscard]] ColumnCut cut_of(const std::vector<Wait>& waits) const {
        ColumnCut cut{{}, static_cast<int>(waits.size()) - 1};
        for (std::size_t column = 0; column < candidates_.size(); ++column) {
            if (!candidates_[column]) continue;
            const auto& calls = fusion_of(costed_.candidates[*candidates_[column]].schedule).calls;
            const auto holds = [&](NodeId call) { return std::find(calls.begin(), calls.end(), call) != calls.end(); };
            std::size_t pairs = 0;
            for (std::size_t k = 0; k < waits.size(); ++k)
                pairs += holds(waits[k].after) && holds(waits[(k + 1) % waits.size()].before) ? 1 : 0;
            if (pairs > 0 && pairs < waits.size()) cut.columns.push_back(static_cast<int>(column));
        }
        return cut;
    }
    void forbid_together(const std::vector<std::size_t>& cycle) {
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
    PartitionSolution start_;                             ///< of no columns: none
    int cycle_cuts_ = 0;
    bool gave_up_ = false;
    long steps_a_selection_ = 0, steps_left_ = 0;
};

/// The better of what pricing found on its way and what greedy finds.
std::optional<Selection> first_selection(const Graph& graph, const CostedSpace& costed) {
    std::vector<Selection> known = make_greedy({})->select(graph, costed, 1);
    std::vector<std::size_t> chosen;
    for (const FusionId fusion : costed.start) {
        const auto best = std::find_if(costed.candidates.begin(), costed.candidates.end(),
                                       [&](const Candidate& c) { return c.fusion == fusion; });
        if (best != costed.candidates.end())
            chosen.push_back(static_cast<std::size_t>(best - costed.candidates.begin()));
    }
    if (!chosen.empty() && contract(graph, costed, chosen).cycles.empty()) {
        Selection start = make_selection(graph, costed, chosen, "exact", "");
        if (known.empty() || start.time_ns < known.front().time_ns) return start;
    }
    return known.empty() ? std::nullopt : std::make_optional(std::move(known.front()));
}

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
        if (count == 0) return found;
        // The best is found alike, however many are asked for.
        ExactSearch search(graph, costed, 1);
        auto start = first_selection(graph, costed);
        if (start) search.start_from(*start);
        if (auto best = search.next()) found.push_back(std::move(*best));
        if (count > 1 && !found.empty()) {
            ExactSearch others(graph, costed, count);
            others.go_on_after(found.front());
            while (found.size() < count) {
                auto selection = others.next();
                if (!selection) break;
                found.push_back(std::move(*selection));
            }
        }
        if (found.empty() && search.gave_up() && start) {
            start->bound = "lp_solve found nothing better within its limits";
            const std::string distance = distance_text(costed, start->time_ns);
            if (!distance.empty()) start->bound += ", " + distance;
            found.push_back(std::move(*start));
        }
        return found;
    }
};

}  // namespace

std::unique_ptr<Strategy> make_exact(Seed /*seed*/) { return std::make_unique<Exact>(); }

}  // namespace kasc
