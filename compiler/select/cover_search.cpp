// Three ways to a first selection; the best one is taken, and what any of them priced may serve others.
//
// One: all calls are one kernel, where they may be. It is looked at where the words of cells are searched together.
//
// Groups: every unit is a group, and the two that save most by their least time are merged, again and again, unless
// groups would wait for each other.
//
// Runs: of an order of the calls, the best cover by runs (runs.cpp). A part that has no price yet stands at its least
// time; what is chosen is priced and the cover chosen anew, until all of it is priced. Orders differ in what stands
// together: as in the program; each call behind what it alone needs; by how many near reads lie before it or behind it,
// since these bound a kernel:
//
//   a = p[1]   b = a[1]   c = q   d = b + c       near reads before: a 1, b 2, c 0, d 2: the order c a b d

#include "select/cover_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "search/legality.hpp"
#include "select/runs.hpp"

namespace kasc {

namespace {

/// Parts of runs that are looked at for an order: each takes some 20 us.
constexpr std::size_t most_parts = 4'000;
/// Covers of one order; some five are chosen until all their parts are priced.
constexpr std::size_t most_covers = 100;

double infinity() { return std::numeric_limits<double>::infinity(); }

class GroupMerging {
public:
    GroupMerging(const Graph& graph, const Connections& connections, PromisingSets& sets, Columns& columns,
                 const CoverSearch::IsOver& is_over)
        : graph_(graph), connections_(connections), sets_(sets), columns_(columns), is_over_(is_over) {}

    std::vector<NodeSet> run(const std::vector<NodeSet>& singles) {
        for (const NodeSet& set : singles) groups_.push_back({set, columns_.price(set)});
        for (std::size_t a = 0; a < groups_.size(); ++a) {
            for (std::size_t b = a + 1; b < groups_.size(); ++b) consider(groups_[a], groups_[b]);
        }
        while (!merges_.empty() && !is_over_()) {
            const auto best = std::max_element(merges_.begin(), merges_.end(), [](const auto& x, const auto& y) {
                return x.second.saves_ns < y.second.saves_ns;
            });
            const NodeSet merged = std::move(best->second.set);
            merges_.erase(best);
            merge(merged);
        }
        std::vector<NodeSet> sets;
        for (const Group& group : groups_) sets.push_back(group.set);
        return sets;
    }

private:
    struct Group {
        NodeSet set;
        double ns = 0;
    };
    /// What merging two groups, with those that lie between, would save at most.
    struct Merge {
        double saves_ns = 0;
        NodeSet set;
    };

    const Graph& graph_;
    const Connections& connections_;
    PromisingSets& sets_;
    Columns& columns_;
    const CoverSearch::IsOver& is_over_;
    std::vector<Group> groups_;
    std::map<std::pair<Members, Members>, Merge> merges_;

    /// The merge of two groups: it may not be legal, or take others apart.
    [[nodiscard]] Merge merge_of(const Group& a, const Group& b) {
        Merge merge{0, sets_.closed(a.set | b.set)};
        if (merge.set.none()) return merge;
        NodeSet covered(merge.set.size());
        double before = 0;
        for (const Group& group : groups_) {
            if (!group.set.intersects(merge.set)) continue;
            covered |= group.set;
            before += group.ns;
        }
        if (covered == merge.set) merge.saves_ns = before - sets_.least_ns(merge.set);
        return merge;
    }

    void consider(const Group& a, const Group& b) {
        NodeSet near(a.set.size());
        for (auto m = a.set.find_first(); m != NodeSet::npos; m = a.set.find_next(m)) near |= connections_.adjacent[m];
        if (!near.intersects(b.set)) return;
        Merge merge = merge_of(a, b);
        if (merge.saves_ns > 0) merges_.emplace(std::pair{members_of(a.set), members_of(b.set)}, std::move(merge));
    }

    void merge(const NodeSet& set) {
        double before = 0;
        std::vector<NodeSet> after{set};
        for (const Group& group : groups_) {
            if (group.set.intersects(set))
                before += group.ns;
            else if (group.set.count() > 1)
                after.push_back(group.set);
        }
        if (contracted_order(graph_, after).empty()) return;
        const Group merged{set, columns_.price(set)};
        if (merged.ns >= before) return;
        std::erase_if(groups_, [&](const Group& group) { return group.set.intersects(set); });
        std::erase_if(merges_, [&](const auto& entry) { return entry.second.set.intersects(set); });
        groups_.push_back(merged);
        for (std::size_t k = 0; k + 1 < groups_.size(); ++k) consider(groups_[k], groups_.back());
    }
};

/// By node: the most near reads on a way to it.
std::vector<int> near_reads_before(const Graph& graph) {
    std::vector<int> before(graph.nodes.size());
    for (const NodeId node : graph.nodes.ids()) {
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[node].what);
        int& mine = before[node.index];
        for (const NodeId p : predecessors(graph, node)) mine = std::max(mine, before[p.index]);
        for (std::size_t k = 0; update != nullptr && k < update->accesses.size(); ++k) {
            const auto producer = graph.values[graph.nodes[node].reads[k]].producer;
            if (producer && std::holds_alternative<NearAccess>(update->accesses[k]))
                mine = std::max(mine, before[producer->index] + 1);
        }
    }
    return before;
}

/// The same behind it, negative: the order of these numbers is topological, too.
std::vector<int> near_reads_behind(const Graph& graph) {
    std::vector<int> behind(graph.nodes.size());
    for (auto n = static_cast<std::uint32_t>(graph.nodes.size()); n-- > 0;) {
        const NodeId node{n};
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[node].what);
        const int mine = behind[n];
        for (const NodeId p : predecessors(graph, node)) behind[p.index] = std::min(behind[p.index], mine);
        for (std::size_t k = 0; update != nullptr && k < update->accesses.size(); ++k) {
            const auto producer = graph.values[graph.nodes[node].reads[k]].producer;
            if (producer && std::holds_alternative<NearAccess>(update->accesses[k]))
                behind[producer->index] = std::min(behind[producer->index], mine - 1);
        }
    }
    return behind;
}

/// From the last call back, each behind all that it needs and nothing else does.
void add_needed(const Graph& graph, NodeId node, std::vector<bool>& added, Members& order) {
    std::vector<std::pair<NodeId, bool>> waiting{{node, false}};
    while (!waiting.empty()) {
        const auto [next, needs_are_in] = waiting.back();
        waiting.pop_back();
        if (added[next.index]) continue;
        if (needs_are_in) {
            added[next.index] = true;
            order.push_back(next.index);
            continue;
        }
        waiting.emplace_back(next, true);
        std::vector<NodeId> needs = predecessors(graph, next);
        std::sort(needs.rbegin(), needs.rend());
        for (const NodeId need : needs) waiting.emplace_back(need, false);
    }
}

}  // namespace

Members contracted_order(const Graph& graph, const std::vector<NodeSet>& sets) {
    const std::size_t nodes = graph.nodes.size();
    std::vector<std::size_t> set_of_call(nodes, sets.size());
    for (std::size_t k = 0; k < sets.size(); ++k) {
        for (auto m = sets[k].find_first(); m != NodeSet::npos; m = sets[k].find_next(m)) set_of_call[m] = k;
    }
    std::vector<NodeSet> needs(nodes, NodeSet(nodes));  // by call, or first call of a set, calls of others
    const auto first_of = [&](std::size_t call) {
        return set_of_call[call] == sets.size() ? call : sets[set_of_call[call]].find_first();
    };
    for (const NodeId node : graph.nodes.ids()) {
        for (const NodeId p : predecessors(graph, node)) {
            if (first_of(p.index) != first_of(node.index)) needs[first_of(node.index)].set(p.index);
        }
    }
    Members order;
    NodeSet done(nodes);
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (done.test(n) || first_of(n) != n || !needs[n].is_subset_of(done)) continue;
            const Members now = set_of_call[n] == sets.size() ? Members{n} : members_of(sets[set_of_call[n]]);
            for (const std::uint32_t m : now) done.set(m);
            order.insert(order.end(), now.begin(), now.end());
            goes_on = true;
        }
    }
    return done.all() ? order : Members{};
}

CoverSearch::CoverSearch(const Graph& graph, const SetRules& rules, const Units& units, PromisingSets& sets,
                         Columns& columns, const NodeSet& apart, std::size_t most_calls, IsOver is_over)
    : graph_(graph),
      rules_(rules),
      units_(units),
      sets_(sets),
      columns_(columns),
      apart_(apart),
      most_calls_(most_calls),
      is_over_(std::move(is_over)) {}

std::vector<Members> CoverSearch::orders() const {
    Members all(graph_.nodes.size());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<Members> orders{all};
    for (const std::vector<int>& near : {near_reads_before(graph_), near_reads_behind(graph_)}) {
        Members by_near = all;
        std::stable_sort(by_near.begin(), by_near.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return near[a] < near[b]; });
        orders.push_back(std::move(by_near));
    }
    Members needed;
    std::vector<bool> added(all.size());
    for (const NodeId node : graph_.nodes.ids()) {
        const auto& writes = graph_.nodes[node].writes;
        const bool result = std::any_of(writes.begin(), writes.end(), [&](ValueId v) {
            return std::find(graph_.outputs.begin(), graph_.outputs.end(), v) != graph_.outputs.end();
        });
        if (result) add_needed(graph_, node, added, needed);
    }
    for (const NodeId node : graph_.nodes.ids()) add_needed(graph_, node, added, needed);
    orders.push_back(std::move(needed));
    for (Members& order : orders) keep_joining(order);
    std::vector<Members> distinct;
    for (Members& order : orders) {
        if (std::find(distinct.begin(), distinct.end(), order) == distinct.end()) distinct.push_back(std::move(order));
    }
    return distinct;
}

void CoverSearch::keep_joining(Members& order) const {
    std::erase_if(order, [&](std::uint32_t n) {
        return apart_.test(n) || !units_.is_first(n) || !rules_.may_stand_in_a_kernel(NodeId{n});
    });
}

SetCover CoverSearch::near(const std::vector<NodeSet>& sets) {
    std::vector<NodeSet> kept;
    NodeSet covered(graph_.nodes.size());
    Members order;
    for (const NodeSet& set : sets) {
        if (set.count() < 2 || set.intersects(covered) || set.intersects(apart_)) continue;
        kept.push_back(set);
        Members with = contracted_order(graph_, kept);
        if (with.empty()) {
            kept.pop_back();
            continue;
        }
        order = std::move(with);
        covered |= set;
    }
    keep_joining(order);
    return order.empty() ? SetCover{{}, infinity()} : best_runs(order);
}

SetCover CoverSearch::best_runs(const Members& order) {
    const std::size_t longest = std::max<std::size_t>(2, most_parts / std::max<std::size_t>(1, order.size()));
    const Runs runs(order, longest, units_, rules_.connections(),
                    [&](const NodeSet& set) { return sets_.closed(set); });
    SetCover cover{{}, infinity()};
    std::vector<double> costs;
    for (const NodeSet& set : runs.parts()) {
        const auto known = columns_.known_ns(set);
        costs.push_back(known ? *known : sets_.least_ns(set));
    }
    const std::size_t most_calls = columns_.priced_calls() + most_calls_;
    for (std::size_t k = 0; k < most_covers && columns_.priced_calls() < most_calls && !is_over_(); ++k) {
        SetCover found;
        bool all_known = true;
        for (const std::size_t part : runs.best(costs)) {
            const NodeSet& set = found.sets.emplace_back(runs.parts()[part]);
            const bool known = columns_.is_priced(set);
            all_known = all_known && known;
            found.ns += columns_.price(set);
            for (std::size_t other = 0; !known && other < costs.size(); ++other)
                if (runs.parts()[other] == set) costs[other] = columns_.price(set);
        }
        if (found.sets.empty()) return cover;
        if (found.ns < cover.ns) cover = std::move(found);
        if (all_known) break;
    }
    return cover;
}

SetCover CoverSearch::find() {
    std::vector<NodeSet> singles;
    for (const NodeId node : graph_.nodes.ids()) {
        const NodeSet& set = units_.of[node.index];
        const bool joins =
            units_.is_first(node.index) && rules_.may_stand_in_a_kernel(node) && !apart_.test(node.index);
        if (joins && columns_.is_priced(set) && std::isfinite(columns_.price(set))) singles.push_back(set);
    }
    const std::optional<SetCover> one = as_one(singles);
    SetCover best{GroupMerging(graph_, rules_.connections(), sets_, columns_, is_over_).run(singles), 0};
    for (const NodeSet& set : best.sets) best.ns += columns_.price(set);
    for (const Members& order : orders()) {
        SetCover cover = best_runs(order);
        if (cover.ns < best.ns) best = std::move(cover);
    }
    return one && one->ns < best.ns ? *one : best;
}

/// Where cells are large, merging takes in so few words at a time that the work ends long before.
std::optional<SetCover> CoverSearch::as_one(const std::vector<NodeSet>& singles) {
    NodeSet all(graph_.nodes.size());
    for (const NodeSet& set : singles) all |= set;
    if (!units_.are_several() || !rules_.is_fusion(members_of(all))) return std::nullopt;
    return SetCover{{all}, columns_.price(all)};
}

}  // namespace kasc
