// Fusions that can be in the best selection, of a graph that has too many to name them all: column generation
// (Barnhart et al., Oper. Res. 46(3), 1998).
//
// Linear programming over the fusions that are priced so far says what covering each call is worth. A fusion that costs
// less than its calls are worth makes the value smaller: branch and bound finds sets of calls that are worth more than
// their least time (promising_sets.cpp), they are priced, and so on, until there is none. Whatever is left then costs
// at least what its calls are worth, so that the value, their sum, is a bound of every selection. Where the work ends
// before, a set is worth at most so many times its least time, r, and every selection takes at least the value / r
// (Farley, Oper. Res. 38(5), 1990).
//
//   f, g, h read a    alone 69 each: worth 69, 69, 69. {f g} is worth 138, at least 112: priced, 113. Worth 69, 44, 69:
//                     {f g h} is worth 182, at least 156: priced, 157. Worth 69, 44, 44: no set is worth more.
//
// All work is bounded by counts, so that a program has the same plan on any machine.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/expand.hpp"
#include "select/costing.hpp"
#include "select/partition.hpp"
#include "select/promising_sets.hpp"
#include "select/refine.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Calls of all fusions that are priced together: of fields a fusion takes some 5 us a call with all its choices, of
/// streams some 100 us, and its schedule 3 kB.
constexpr std::size_t most_field_calls = 40'000, most_stream_calls = 12'000;
/// Branches that are looked at in all searches for promising sets, for each call of the graph and at most: a hundred
/// calls take five to ten seconds with them.
constexpr std::size_t steps_a_call = 6'000, most_steps = 400'000;
/// Of one search: branches; sets that are priced before calls are given another worth, those that make the value
/// smaller, and those that do not.
struct Effort {
    std::size_t steps, found, missed;
};
constexpr Effort glance{2'000, 24, 40}, long_look{20'000, 24, 200};
/// Of a large graph more of both, for a call each.
constexpr double found_a_call = 0.5;
/// What the calls are worth is known to so much.
constexpr double worth_known = 1e-7;
/// Sets that could make a selection faster by no more than this part are not looked for; a bound that leaves no more
/// than `worth_proving` is good enough where a few rounds of linear programming found nothing, one of `near_proof` may
/// be close to that.
constexpr double worth_looking_for = 1e-3, worth_proving = 1e-2, near_proof = 5e-2;
/// Rounds in which the value stays as it was.
constexpr std::size_t enough_stalled = 3, most_stalled = 25;
/// Costs nobody has, of a call that no kernel computes by itself.
constexpr double no_kernel = 1e3;

class Generation {
public:
    /// `apart`: calls that stand in wished fusions. The references must outlive it.
    Generation(const Graph& graph, const SetRules& rules, const LeastTimes& least, NodeSet apart, Costing& costing,
               std::size_t most_calls)
        : graph_(graph),
          rules_(rules),
          costing_(costing),
          apart_(std::move(apart)),
          sets_(graph, rules, least, apart_),
          maker_(graph),
          most_calls_(most_calls),
          steps_in_all_(std::min(most_steps, steps_a_call * graph.nodes.size())) {
        for (const NodeId call : calls_to_cover(graph)) rows_.emplace(call, static_cast<int>(rows_.size()));
        for (const auto& loop : costing.so_far().loop_ns) rows_.emplace(loop.first, static_cast<int>(rows_.size()));
        problem_.rows = static_cast<int>(rows_.size());
        nodes_.resize(rows_.size());
        for (const auto& [node, row] : rows_) nodes_[static_cast<std::size_t>(row)] = node;
    }

    /// Nothing is faster than this, in nanoseconds.
    [[nodiscard]] double bound_ns() const { return bound_ns_; }

    void run(const std::vector<Members>& wished) {
        for (const auto& [loop, ns] : costing_.so_far().loop_ns)
            problem_.columns.push_back({{rows_.at(loop)}, std::llround(ns * 1000)});
        for (const Members& calls : wished) (void)price(set_of(calls, graph_.nodes.size()));
        for (const NodeId node : graph_.nodes.ids()) {
            if (apart_.test(node.index) || !rules_.may_stand_in_a_kernel(node)) continue;
            (void)price(set_of({node.index}, graph_.nodes.size()));
        }
        cover_all();
        merge_groups();
        generate();
    }

private:
    const Graph& graph_;
    const SetRules& rules_;
    Costing& costing_;
    const NodeSet apart_;
    PromisingSets sets_;
    const FusionMaker maker_;
    std::map<NodeId, int> rows_;
    PartitionProblem problem_;
    std::map<Members, double> priced_;
    std::map<Members, FusionId> ids_;
    std::vector<NodeId> nodes_;               ///< by row
    std::vector<double> duals_, best_worth_;  ///< by node
    double bound_ns_ = 0, value_ns_ = 0;
    std::size_t steps_ = 0, priced_calls_ = 0;
    std::pair<std::size_t, std::size_t> no_kernels_{};  ///< first and last column that no selection takes
    bool covered_ = true;                               ///< without them; a budget does not end the search before
    const std::size_t most_calls_, steps_in_all_;

    /// Of the best schedule of these calls, infinite where there is none.
    double price(const NodeSet& set) {
        const Members members = members_of(set);
        const auto [known, added] = priced_.try_emplace(members, std::numeric_limits<double>::infinity());
        if (!added) return known->second;
        priced_calls_ += members.size();
        const FusionId id = costing_.hold(maker_.of(members));
        ids_[members] = id;
        const auto ns = costing_.price(id);
        if (!ns) return known->second;
        known->second = *ns;
        Column column{{}, std::llround(*ns * 1000)};
        for (const std::uint32_t m : members) column.rows.push_back(rows_.at(NodeId{m}));
        problem_.columns.push_back(std::move(column));
        return *ns;
    }
    [[nodiscard]] bool is_out_of_work() const {
        return priced_calls_ >= most_calls_ || steps_ >= steps_in_all_ || (covered_ && costing_.out_of_budget());
    }

    /// A column for each call that has none by itself, which no selection takes.
    void cover_all() {
        std::vector<bool> covered(static_cast<std::size_t>(problem_.rows));
        std::int64_t sum = 1;
        for (const Column& column : problem_.columns) {
            sum += column.cost;
            if (column.rows.size() == 1) covered[static_cast<std::size_t>(column.rows.front())] = true;
        }
        no_kernels_ = {problem_.columns.size(), problem_.columns.size()};
        for (int row = 0; row < problem_.rows; ++row) {
            if (covered[static_cast<std::size_t>(row)]) continue;
            covered_ = false;
            problem_.columns.push_back({{row}, static_cast<std::int64_t>(no_kernel * static_cast<double>(sum))});
            ++no_kernels_.second;
        }
    }

    struct Group {
        NodeSet set;
        double ns = 0;
    };

    /// What merging two groups of calls, with those that lie between, would save at most; none: it is not legal, or
    /// takes others apart.
    struct Merge {
        double saves_ns = 0;
        NodeSet set;
    };
    [[nodiscard]] Merge merge_of(const std::vector<Group>& groups, const Group& a, const Group& b) {
        Merge merge{0, sets_.closed(a.set | b.set)};
        if (merge.set.none()) return merge;
        NodeSet covered(merge.set.size());
        double before = 0;
        for (const Group& group : groups) {
            if (!group.set.intersects(merge.set)) continue;
            covered |= group.set;
            before += group.ns;
        }
        if (covered == merge.set) merge.saves_ns = before - sets_.least_ns(merge.set);
        return merge;
    }

    /// Merges the two groups of calls that save most, again and again: a first selection, whose fusions and those on
    /// the way are a good start.
    void merge_groups() {
        std::vector<Group> groups;
        for (const auto& [members, ns] : priced_) {
            if (std::isfinite(ns) && !apart_.test(members.front()))
                groups.push_back({set_of(members, graph_.nodes.size()), ns});
        }
        std::map<std::pair<Members, Members>, Merge> merges;
        const auto consider = [&](const Group& a, const Group& b) {
            NodeSet near(a.set.size());
            for (auto m = a.set.find_first(); m != NodeSet::npos; m = a.set.find_next(m))
                near |= rules_.connections().adjacent[m];
            if (!near.intersects(b.set)) return;
            Merge merge = merge_of(groups, a, b);
            if (merge.saves_ns > 0) merges.emplace(std::pair{members_of(a.set), members_of(b.set)}, std::move(merge));
        };
        for (std::size_t a = 0; a < groups.size(); ++a) {
            for (std::size_t b = a + 1; b < groups.size(); ++b) consider(groups[a], groups[b]);
        }
        while (!merges.empty() && !is_out_of_work()) {
            const auto best = std::max_element(merges.begin(), merges.end(), [](const auto& x, const auto& y) {
                return x.second.saves_ns < y.second.saves_ns;
            });
            const Merge merge = std::move(best->second);
            merges.erase(best);
            double before = 0;
            for (const Group& group : groups) before += group.set.intersects(merge.set) ? group.ns : 0;
            const Group merged{merge.set, price(merge.set)};
            if (merged.ns >= before) continue;
            std::erase_if(groups, [&](const Group& group) { return group.set.intersects(merge.set); });
            std::erase_if(merges, [&](const auto& entry) { return entry.second.set.intersects(merge.set); });
            groups.push_back(merged);
            for (std::size_t k = 0; k + 1 < groups.size(); ++k) consider(groups[k], groups.back());
        }
        std::vector<FusionId> start;
        for (const Group& group : groups) start.push_back(ids_.at(members_of(group.set)));
        costing_.start_with(std::move(start));
    }

    /// What each call is worth if every fusion that the solution takes shares out its cost among its calls, by what
    /// they touch. A part of such a fusion is then worth about what it costs, so that hardly any set of calls looks
    /// promising that is not; duals of a degenerate solution give all to a few calls.
    [[nodiscard]] std::vector<double> shared_out(const Relaxation& relaxation) {
        std::vector<double> worth(graph_.nodes.size());
        for (std::size_t c = 0; c < problem_.columns.size(); ++c) {
            if (relaxation.taken[c] <= 0) continue;
            const double cost = static_cast<double>(problem_.columns[c].cost) / 1000 * relaxation.taken[c];
            NodeSet set(graph_.nodes.size());
            for (const int row : problem_.columns[c].rows) set.set(nodes_.at(static_cast<std::size_t>(row)).index);
            const std::vector<double> shares = sets_.shares(set);
            std::size_t k = 0;
            for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) worth[m] += cost * shares[k++];
        }
        return worth;
    }

    void generate() {
        double solved_ns = std::numeric_limits<double>::infinity();
        for (std::size_t stalled = 0; stalled < most_stalled; ++stalled) {
            const Relaxation relaxation = relax_partition(problem_);
            value_ns_ = relaxation.value / 1000;
            covered_ = true;
            for (std::size_t c = no_kernels_.first; c < no_kernels_.second; ++c)
                covered_ = covered_ && relaxation.taken[c] <= 0;
            duals_.assign(graph_.nodes.size(), 0);
            for (const auto& [node, row] : rows_)
                duals_[node.index] = relaxation.worth[static_cast<std::size_t>(row)] / 1000;
            const bool another = value_ns_ < solved_ns * (1 - worth_looking_for);
            if (another) {
                solved_ns = value_ns_;
                stalled = 0;
            }
            if (stalled >= enough_stalled && is_proved(worth_proving)) return;
            std::size_t found = 0;
            const auto looked = [&](const std::vector<double>& worth, const Effort& effort) {
                found = look(worth, effort);
                return found > 0 || is_out_of_work() || is_proved(worth_looking_for);
            };
            const std::vector<double> shares = shared_out(relaxation);
            const bool settled = (another && looked(shares, glance)) ||
                                 (another && is_proved(near_proof) && looked(shares, long_look)) ||
                                 looked(between(best_worth_, duals_), long_look) ||
                                 looked(between(best_worth_, duals_), long_look) || looked(duals_, long_look) ||
                                 looked(between(best_worth_, duals_), long_look) || looked(shares, long_look);
            if (!settled || found == 0 || is_out_of_work() || is_proved(worth_looking_for)) return;
        }
    }
    /// No selection is faster than the relaxation's value by more than such a part of it.
    [[nodiscard]] bool is_proved(double part) const { return bound_ns_ >= value_ns_ * (1 - worth_known) / (1 + part); }
    /// Duals jump from solution to solution: half way from what gave the best bound they find more that lasts
    /// (Wentges, Int. Trans. Oper. Res. 4(2), 1997).
    [[nodiscard]] static std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> middle = b;
        for (std::size_t n = 0; n < a.size(); ++n) middle[n] = (a[n] + b[n]) / 2;
        return middle;
    }
    /// Prices sets that are worth more than their least time, until enough are found that make the value smaller, or
    /// too many that do not: how many of the former.
    std::size_t look(const std::vector<double>& worth, const Effort& effort) {
        std::size_t found = 0, missed = 0;
        const std::size_t most_found =
            std::max(effort.found, static_cast<std::size_t>(found_a_call * static_cast<double>(duals_.size())));
        double most = 1;
        const auto show = [&](const NodeSet& set, double held, double) {
            const bool known = priced_.contains(members_of(set));
            const double ns = price(set);
            most = std::max(most, held / ns);
            if (!known) ++(ns * (1 + worth_known) < sum_over(set, duals_) ? found : missed);
            return found < most_found && missed < effort.missed && !is_out_of_work();
        };
        const Unlooked rest =
            sets_.find(worth, 1 + worth_looking_for, std::min(effort.steps, steps_in_all_ - steps_), show);
        steps_ += rest.steps;
        const double sum = std::accumulate(worth.begin(), worth.end(), 0.0);
        const double bound_ns = sum / std::max(rest.ratio, most);
        if (bound_ns > bound_ns_) best_worth_ = worth;
        bound_ns_ = std::max(bound_ns_, bound_ns);
        return found;
    }
};

}  // namespace

CostedSpace cost_promising(const Program& program, const Graph& graph, const Library& library, const Device& device,
                           const Problem& problem, const SetRules& rules, const CostOptions& options,
                           std::map<NodeId, double> loop_ns, const Strategy& strategy) {
    constexpr std::size_t expected = 500;
    Costing costing(program, graph, library, device, problem, options, {}, std::move(loop_ns), expected);
    const LeastTimes least(program, graph, *costing.so_far().expanded, library, device, problem);
    NodeSet apart(graph.nodes.size());
    std::vector<Members> wished;
    for (const WishedFusion& wish : options.wishes) {
        Members members;
        for (const NodeId call : wish.calls) {
            members.push_back(call.index);
            apart.set(call.index);
        }
        wished.push_back(std::move(members));
    }
    const bool streams = program.kind == ProgramKind::stream;
    Generation generation(graph, rules, least, std::move(apart), costing,
                          streams ? most_stream_calls : most_field_calls);
    generation.run(wished);
    std::string remark = fmt::format("{} fusions are priced", costing.so_far().space.fusions.size());
    const auto best = refine(graph, costing, strategy);
    if (best && generation.bound_ns() > 0)
        remark += fmt::format(": no selection with another is faster by more than {:.1f} %",
                              100 * std::max(0.0, 1 - generation.bound_ns() / best->time_ns));
    CostedSpace costed = costing.finish(remark);
    bool more = false;
    costed.space.refusals = rules.refused_pairs(more);
    costed.space.whole = false;
    costed.at_least_ns = generation.bound_ns();
    return costed;
}

}  // namespace kasc
