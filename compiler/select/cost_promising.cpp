// Fusions that can be in the best selection, of a graph that has too many to name them all: column generation
// (Barnhart et al., Oper. Res. 46(3), 1998).
//
// A first selection is found by merging and by runs of orders (cover_search.cpp). Linear programming over the sets of
// calls that are known so far, each at its price or at its least time until it has one, says what covering each call is
// worth. A set whose least time is less than its calls are worth makes the value smaller: branch and bound finds such
// sets (promising_sets.cpp), they become columns, and so on, until there is none. Then what the solution takes is
// priced and it goes on, until all of that has its price. No set costs less than its least time, so that the value, the
// sum of what calls are worth, is a bound of every selection. Where the work ends before, a set is worth at most so
// many times its least time, r, and every selection takes at least the value / r (Farley, Oper. Res. 38(5), 1990).
//
//   f, g, h read a    alone 69 each: worth 69, 69, 69. {f g} is worth 138, at least 112. Worth 69, 43, 69: {f g h} is
//                     worth 181, at least 156. Worth 69, 43, 44: no set is worth more. {f g h} is priced, 157.
//
// The solution takes fractions of sets: a selection is rounded off from it, and integer linear programming (exact.cpp)
// looks for a better one among all that is priced, with what may be part of one.
//
// All work is bounded by counts, so that a program has the same plan on any machine.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "graph/expand.hpp"
#include "search/units.hpp"
#include "select/columns.hpp"
#include "select/costing.hpp"
#include "select/cover_search.hpp"
#include "select/promising_sets.hpp"
#include "select/refine.hpp"
#include "select/strategies.hpp"
#include "select/unit_moves.hpp"

namespace kasc {

namespace {

/// Calls of all fusions that are priced together: of fields a fusion takes some 50 us a call with all its choices, of
/// streams some 200 us, and its schedule 3 kB; of a large graph more.
constexpr std::size_t most_field_calls = 40'000, most_stream_calls = 4'000, stream_calls_a_call = 50;
/// One in so many of these is for what may be in a selection besides what a relaxation takes: each time one is solved,
/// and at last; one in so many more for what is a unit away from the best selection.
constexpr std::size_t next_part = 40, last_part = 4, improving_part = 6;
/// The same of runs of one order.
constexpr std::size_t calls_an_order = 8;
/// Limits of all searches for promising sets: branches that are looked at, and edges that the cuts which bound them go
/// over, some 5 ns each, a second in all; of large graphs by the square of their units more.
constexpr std::size_t most_steps = 30'000, most_visits = 150'000'000, units_of_large = 48;
/// Columns times rows of all linear programs: some two seconds.
constexpr std::size_t most_solver_work = 40'000'000;
/// Limits of one search: branches; sets that are taken in before calls are given another worth, those that make the
/// value smaller, and those that do not.
struct Effort {
    std::size_t steps, found, missed;
};
constexpr Effort glance{500, 24, 40}, long_look{4'000, 24, 200};
/// More sets that make the value smaller are taken in for a large graph: so many for a call each.
constexpr double found_a_call = 0.5;
/// What the calls are worth is known to so much.
constexpr double worth_known = 1e-7;
/// Sets that could make a selection faster by no more than this part, a fraction of what the model is off, are not
/// looked for; a bound that leaves no more than `worth_proving` is good enough where a few rounds of linear programming
/// found nothing, one of `near_proof` may be close to that.
constexpr double worth_looking_for = 3e-3, worth_proving = 1e-2, near_proof = 5e-2;
/// By which part a first selection may take longer than its least time, for each unit: beyond that fusions that promise
/// are priced at once, as far as half of all that may be priced goes. In large graphs these are many, and each takes
/// long.
constexpr double far_from_least = 0.002;
/// Sets of which a part alone costs so many times what all of it is worth wait until a solution takes them.
constexpr double worth_pricing = 1.3;
/// Rounds in which neither the value nor the bound changes: then a bound that leaves `worth_proving` is enough; no more
/// sets are looked for, of small graphs after as many as they have units; nothing more is priced.
constexpr std::size_t enough_stalled = 3, most_stalled = 40;
/// A unit is taken apart where its halves together are faster by more than this part.
constexpr double worth_halving = 0.01;
constexpr std::size_t most_generations = 200;

NodeSet all_of(const std::vector<Members>& sets, std::size_t nodes) {
    NodeSet all(nodes);
    for (const Members& members : sets) all |= set_of(members, nodes);
    return all;
}

std::size_t calls_priced(const Graph& graph, bool is_of_fields) {
    return is_of_fields ? most_field_calls : most_stream_calls + stream_calls_a_call * graph.nodes.size();
}

class Generation {
public:
    /// `wished`: the calls of wished fusions, which no other takes in. The references must outlive it.
    Generation(const Program& program, const Graph& graph, const SetRules& rules, const LeastTimes& least,
               const std::vector<Members>& wished, Costing& costing)
        : graph_(graph),
          rules_(rules),
          costing_(costing),
          wished_(wished),
          is_of_fields_(!has_streams(program)),
          most_calls_(calls_priced(graph, is_of_fields_)),
          apart_(all_of(wished, graph.nodes.size())),
          columns_(graph, costing),
          units_(priced_units(units_of(program))),
          sets_(graph, rules, least, units_, apart_),
          covers_(graph, rules, units_, sets_, columns_, apart_, most_calls_ / calls_an_order,
                  [this] { return is_out_of_pricing(); }),
          most_visits_(visits_by_size()),
          most_stalled_(std::min(most_stalled, units_.count())) {}

    /// Nothing is faster than this of what is made of whole units, in nanoseconds.
    [[nodiscard]] double bound_ns() const { return bound_ns_; }
    /// Some calls stand together in all that is looked at.
    [[nodiscard]] bool has_units() const { return has_units_; }

    void run() {
        for (const Members& calls : wished_) (void)columns_.price(set_of(calls, graph_.nodes.size()));
        columns_.begin(units_);
        columns_.cover_all();
        const SetCover first = covers_.find();
        start_with(first);
        prices_at_once_ = is_of_fields_ && are_far_from_least(first);
        bound_ns_ = least_together();
        generate();
        improve();
    }

private:
    const Graph& graph_;
    const SetRules& rules_;
    Costing& costing_;
    const std::vector<Members>& wished_;
    const bool is_of_fields_;
    const std::size_t most_calls_;
    const NodeSet apart_;
    bool has_units_ = false;
    Columns columns_;
    const Units units_;
    PromisingSets sets_;
    CoverSearch covers_;
    std::vector<double> duals_, best_worth_;  ///< by node
    double bound_ns_ = 0, value_ns_ = 0;
    double looked_ns_ = 0;                                       ///< the bound that `best_worth_` gave
    double upper_ns_ = std::numeric_limits<double>::infinity();  ///< of a selection that is known
    std::vector<NodeSet> best_;                                  ///< its sets, but for wished fusions
    std::size_t steps_ = 0;
    bool prices_at_once_ = false;
    const std::size_t most_visits_, most_stalled_;

    [[nodiscard]] Units units_of(const Program& program) {
        Units units = words_in_units(program, graph_, rules_, apart_);
        has_units_ = units.are_several();
        join_copies(units, graph_, rules_, apart_);
        join_words_of_loops(units, graph_, rules_, apart_);
        return units;
    }
    /// Prices each call by itself, and units, which come back in halves where those are faster.
    [[nodiscard]] Units priced_units(Units units) {
        const std::size_t nodes = graph_.nodes.size();
        for (const NodeId node : graph_.nodes.ids()) {
            if (apart_.test(node.index) || !rules_.may_stand_in_a_kernel(node)) continue;
            (void)columns_.price(set_of({node.index}, nodes));
        }
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (!units.is_first(n)) continue;
            while (units.of[n].count() > 1) {
                const auto [one, other] = halves_of(units.of[n]);
                const double halves = columns_.price(one) + columns_.price(other);
                if (columns_.price(units.of[n]) * (1 - worth_halving) <= halves) break;
                units.put(one);
                units.put(other);
            }
        }
        return units;
    }
    [[nodiscard]] std::size_t visits_by_size() const {
        const double larger = static_cast<double>(units_.count()) / units_of_large;
        return static_cast<std::size_t>(static_cast<double>(most_visits) * std::max(1.0, larger * larger));
    }
    /// Takes the cover with what it leaves out, where that is the fastest so far and can be launched.
    void start_with(const SetCover& cover) {
        NodeSet covered(graph_.nodes.size());
        std::vector<FusionId> start;
        double ns = 0;
        const auto take = [&](const NodeSet& set) {
            covered |= set;
            start.push_back(columns_.id_of(set));
            ns += columns_.price(set);
        };
        for (const NodeSet& set : cover.sets) take(set);
        for (const Members& calls : wished_) take(set_of(calls, graph_.nodes.size()));
        const auto& loop_ns = costing_.so_far().loop_ns;
        for (const NodeId node : graph_.nodes.ids()) {
            if (covered.test(node.index)) continue;
            const auto loop = loop_ns.find(node);
            if (loop == loop_ns.end())
                ns = std::numeric_limits<double>::infinity();
            else
                ns += loop->second;
        }
        std::vector<NodeSet> all = cover.sets;
        for (const Members& calls : wished_) all.push_back(set_of(calls, graph_.nodes.size()));
        if (ns >= upper_ns_ || contracted_order(graph_, all).empty()) return;
        upper_ns_ = ns;
        best_ = cover.sets;
        costing_.start_with(std::move(start));
    }
    /// Moves units from set to set of the best selection, while that makes it faster: relaxations mix sets in
    /// fractions, and what is rounded off from them may be a unit away from a better one.
    void improve() {
        if (is_proved(upper_ns_, worth_looking_for)) return;
        const std::size_t most = columns_.priced_calls() + most_calls_ / improving_part;
        for (bool goes_on = true; goes_on && !best_.empty();) {
            goes_on = false;
            for (const UnitMove& move : unit_moves(best_, units_, rules_.connections(), sets_)) {
                if (columns_.priced_calls() >= most || (columns_.cover() && costing_.out_of_budget())) return;
                if (!rules_.is_fusion(members_of(move.without)) || !rules_.is_fusion(members_of(move.with))) continue;
                const double before = columns_.price(best_[move.from]) + columns_.price(best_[move.to]);
                if (columns_.price(move.without) + columns_.price(move.with) >= before) continue;
                SetCover moved{best_, 0};
                moved.sets[move.from] = move.without;
                moved.sets[move.to] = move.with;
                const double upper_ns = upper_ns_;
                start_with(moved);
                goes_on = upper_ns_ < upper_ns;
                if (goes_on) break;
            }
        }
    }
    /// Where kernels compute much, their least times say little, and sets are priced as they are found.
    [[nodiscard]] bool are_far_from_least(const SetCover& cover) {
        double least_ns = 0;
        for (const NodeSet& set : cover.sets) least_ns += sets_.least_ns(set);
        return cover.ns > (1 + far_from_least * static_cast<double>(units_.count())) * least_ns;
    }
    /// The least time of one kernel with all calls, if there were such a one: several take no less than it, since each
    /// value is read and written somewhere, and what overlaps in one kernel would do so in all of them together at
    /// best. Loops that the host can run, and wished fusions, need not take their least time.
    [[nodiscard]] double least_together() {
        NodeSet all(graph_.nodes.size());
        for (const NodeId node : graph_.nodes.ids())
            if (rules_.may_stand_in_a_kernel(node)) all.set(node.index);
        return costing_.so_far().loop_ns.empty() && all.any() ? sets_.least_ns(all) : 0;
    }
    /// Rounds what the relaxation takes to a selection.
    void round_off() {
        std::vector<std::pair<double, NodeSet>> taken;
        columns_.for_each_taken([&](const NodeSet& set, double, double part) { taken.emplace_back(part, set); });
        std::stable_sort(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<NodeSet> sets;
        for (auto& [part, set] : taken) sets.push_back(std::move(set));
        start_with(covers_.near(sets));
    }

    /// A budget does not end the search before every call has a kernel.
    [[nodiscard]] bool is_out_of_pricing() const {
        return columns_.priced_calls() >= most_calls_ || (columns_.cover() && costing_.out_of_budget());
    }
    [[nodiscard]] bool is_out_of_work() const {
        return steps_ >= most_steps || sets_.visits() >= most_visits_ || columns_.solver_work() >= most_solver_work ||
               (columns_.cover() && costing_.out_of_budget());
    }

    /// What each call is worth if every fusion that the solution takes shares out its cost among its calls, by what
    /// they touch. A part of such a fusion is then worth about what it costs, so that hardly any set of calls looks
    /// promising that is not; duals of a degenerate solution give all to a few calls.
    [[nodiscard]] std::vector<double> shared_out() {
        std::vector<double> worth(graph_.nodes.size());
        double memory_ns = 0, arithmetic_ns = 0, kernels = 0;
        columns_.for_each_taken([&](const NodeSet& set, double cost, double part) {
            const auto [memory, arithmetic] = sets_.times_of(set);
            memory_ns += part * memory;
            arithmetic_ns += part * arithmetic;
            kernels += part;
            const std::vector<double> shares = sets_.shares(set);
            std::size_t k = 0;
            for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) worth[m] += cost * shares[k++];
        });
        if (kernels > 0) sets_.bound_near(memory_ns / kernels, arithmetic_ns / kernels);
        return worth;
    }

    void generate() {
        double solved_ns = std::numeric_limits<double>::infinity(), moved_ns = 0;
        std::size_t stalled = 0;
        for (std::size_t round = 0; round < most_generations; ++round) {
            columns_.relax();
            value_ns_ = columns_.value_ns();
            duals_ = columns_.duals();
            const bool another = std::abs(value_ns_ - solved_ns) > solved_ns * worth_looking_for;
            const bool moved = looked_ns_ > moved_ns * (1 + worth_looking_for);
            if (another) solved_ns = value_ns_;
            if (moved) moved_ns = looked_ns_;
            stalled = another || moved ? 0 : stalled + 1;
            if (is_proved(upper_ns_, stalled < enough_stalled ? worth_looking_for : worth_proving)) break;
            if (stalled < most_stalled_ && !is_solved() && look_around(another) > 0) continue;
            if (is_out_of_work() || is_out_of_pricing() || stalled >= 2 * most_stalled_) break;
            if (stalled >= most_stalled_ && is_best_of_known()) break;
            if (!price_solution()) break;
        }
        price_last();
    }
    /// What the relaxation takes, a selection that is rounded off from it, and some of what it would take next; false:
    /// all of that had its price.
    bool price_solution() {
        const std::size_t priced = columns_.priced_calls();
        round_off();
        (void)columns_.price_taken();
        price_next(most_calls_ / next_part);
        return columns_.priced_calls() > priced;
    }
    /// What a selection may have that is faster than the one known, as far as so many calls go.
    void price_next(std::size_t calls) {
        const std::size_t most = std::min(most_calls_, columns_.priced_calls() + calls);
        columns_.price_below(upper_ns_, [&] { return columns_.priced_calls() >= most || is_out_of_pricing(); });
    }
    /// Sets that make the value smaller, looked for with one worth after the other until there are some: how many.
    std::size_t look_around(bool another) {
        const std::vector<double> shares = shared_out();
        std::size_t found = 0;
        const auto looked = [&](const std::vector<double>& worth, const Effort& effort) {
            found = look(worth, effort);
            return found > 0 || is_out_of_work() || is_solved();
        };
        const auto middle = [&] { return between(best_worth_, duals_); };
        (void)((another && looked(shares, glance)) ||
               (another && is_proved(value_ns_, near_proof) && looked(shares, long_look)) ||
               looked(middle(), long_look) || looked(middle(), long_look) || looked(duals_, long_look) ||
               looked(middle(), long_look) || looked(shares, long_look));
        return found;
    }
    /// What the relaxation takes at last, and more of what a selection may have.
    void price_last() {
        if (is_best_of_known()) return;
        while (!is_out_of_pricing() && !is_out_of_work() && price_solution()) columns_.relax();
        price_next(most_calls_ / last_part);
    }
    /// No set that is not known would make the relaxation's value smaller.
    [[nodiscard]] bool is_solved() const { return is_proved(value_ns_, worth_looking_for); }
    /// No selection of sets that are known is faster than the one at hand, whatever those without a price will cost.
    [[nodiscard]] bool is_best_of_known() const { return upper_ns_ * (1 - worth_known) <= value_ns_; }
    /// No selection takes less than this but for such a part of it.
    [[nodiscard]] bool is_proved(double ns, double part) const {
        return bound_ns_ >= ns * (1 - worth_known) / (1 + part);
    }
    /// Duals jump from solution to solution: half way from what gave the best bound they find more that lasts
    /// (Wentges, Int. Trans. Oper. Res. 4(2), 1997).
    [[nodiscard]] static std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> middle = b;
        for (std::size_t n = 0; n < a.size(); ++n) middle[n] = (a[n] + b[n]) / 2;
        return middle;
    }
    /// Takes in sets that are worth more than their least time, until enough are found that make the value smaller, or
    /// too many that do not: how many of the former.
    std::size_t look(const std::vector<double>& worth, const Effort& effort) {
        std::size_t found = 0, missed = 0;
        const std::size_t most_found =
            std::max(effort.found, static_cast<std::size_t>(found_a_call * static_cast<double>(duals_.size())));
        const auto show = [&](const NodeSet& set, double, double least_ns) {
            auto [ns, added] = columns_.take_in(set, least_ns);
            if (prices_at_once_ && !columns_.is_priced(set) && columns_.priced_calls() < most_calls_ / 3 &&
                columns_.dearest_part_ns(set) < worth_pricing * sum_over(set, duals_))
                ns = columns_.price(set);
            if (added) ++(ns * (1 + worth_known) < sum_over(set, duals_) ? found : missed);
            return found < most_found && missed < effort.missed && !is_out_of_work();
        };
        const Unlooked rest =
            sets_.find(worth, 1 + worth_looking_for,
                       {std::min(effort.steps, most_steps - std::min(steps_, most_steps)), most_visits_}, show);
        steps_ += rest.steps;
        const double sum = std::accumulate(worth.begin(), worth.end(), 0.0);
        const double bound_ns = sum / std::max(rest.ratio, columns_.largest_ratio(worth));
        if (bound_ns > looked_ns_) best_worth_ = worth;
        looked_ns_ = std::max(looked_ns_, bound_ns);
        bound_ns_ = std::max(bound_ns_, looked_ns_);
        return found;
    }
};

}  // namespace

namespace {

/// Why a bound leaves more than is looked for: how much longer fusions take than is certain of them.
std::string why_no_more(const CostedSpace& costed, const LeastTimes& least) {
    std::map<FusionId, double> best_ns;
    for (const Candidate& c : costed.candidates) {
        const auto [at, added] = best_ns.try_emplace(c.fusion, c.prediction.time_ns);
        if (!added) at->second = std::min(at->second, c.prediction.time_ns);
    }
    double longer = 1;
    for (const auto& [fusion, ns] : best_ns) longer = std::max(longer, ns / least.of(costed.space.fusions[fusion]));
    if (longer <= 1 + worth_proving) return "; more is not proved within the work of a search";
    return fmt::format(
        "; more is not proved: of a fusion without a price its memory traffic and its operations are certain, and of "
        "those with one some take up to {:.1f} times as long, for registers, waits and what is computed again",
        longer);
}

}  // namespace

CostedSpace cost_promising(const Program& program, const Graph& graph, const Library& library, const Device& device,
                           const Problem& problem, const SetRules& rules, const CostOptions& options,
                           std::map<NodeId, double> loop_ns, const Strategy& strategy) {
    constexpr std::size_t expected = 500;
    Costing costing(program, graph, library, device, problem, options, {}, std::move(loop_ns), expected);
    const bool offered = !options.others && options.wishes.empty();
    const LeastTimes least(program, graph, *costing.so_far().expanded, library, device, problem,
                           offered ? LeastTimes::Choices::offered : LeastTimes::Choices::any);
    std::vector<Members> wished;
    for (const WishedFusion& wish : options.wishes) {
        Members members;
        for (const NodeId call : wish.calls) members.push_back(call.index);
        wished.push_back(std::move(members));
    }
    Generation generation(program, graph, rules, least, wished, costing);
    generation.run();
    std::string remark = fmt::format("{} fusions are priced", costing.so_far().space.fusions.size());
    const auto best = refine(graph, costing, strategy);
    const bool in_part = costing.is_any_priced_in_part(), in_units = generation.has_units();
    if (best && generation.bound_ns() > 0) {
        const double gain = std::max(0.0, 1 - generation.bound_ns() / best->time_ns);
        remark += fmt::format(": no selection with another is faster by more than {:.1f} %{}{}", 100 * gain,
                              in_part || in_units ? "," : "", what_is_tried(in_part, in_units));
        if (gain > worth_proving) remark += why_no_more(costing.so_far(), least);
    }
    CostedSpace costed = costing.finish(remark);
    bool more = false;
    costed.space.refusals = rules.refused_pairs(more);
    costed.space.whole = false;
    costed.at_least_ns = generation.bound_ns();
    costed.in_part = in_part;
    costed.in_units = in_units;
    return costed;
}

}  // namespace kasc
