// A part is a set of calls, and calls that may still join it. One of these is decided: it joins, with all that lies
// between, or never does. So each convex set is met once.
//
// What a part may become at best is a minimum cut (set_cuts.cpp): of all sets of its calls, legal or not, the one that
// is worth most of its least time, a line in place of which makes it one cut for a ratio; the ratio that is found is
// tried next, until it stays (Dinkelbach, Management Sci. 13(7), 1967). Where that set is legal it is shown. The call
// to decide is one of it that others of it may not stand with, so that both branches have another best set.
//
//   f = f[x - 1] + a    alone worth 46 each, a field 22 and a launch 2: {f g h} is worth 138, reads four fields and
//   g = g[x - 1] + a    writes three, at least 156: no set is worth its time
//   h = h[x - 1] + a
//
// Parts are looked at in the order of that bound, but from each the better branch is followed to its end first.

#include "select/promising_sets.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "search/legality.hpp"

namespace kasc {

namespace {

/// Calls up to which all pairs are closed, which takes some 20 us each.
constexpr std::size_t most_paired = 200;

/// The part of a ratio that counts as a difference: less is rounding.
constexpr double least_difference = 1e-9;

}  // namespace

PromisingSets::PromisingSets(const Graph& graph, const SetRules& rules, const LeastTimes& least, const Units& units,
                             NodeSet apart)
    : rules_(rules),
      least_(least),
      units_(units),
      several_(units.are_several()),
      may_join_(graph.nodes.size()),
      waiting_(graph.nodes.size()),
      readers_(graph.values.size(), NodeSet(graph.nodes.size())),
      handed_on_(graph.values.size()),
      read_ns_(graph.values.size()),
      shared_by_(graph.values.size()) {
    for (const NodeId node : graph.nodes.ids()) {
        if (rules.may_stand_in_a_kernel(node) && !apart.test(node.index)) may_join_.set(node.index);
        for (const ValueId v : graph.nodes[node].reads) readers_[v.index].set(node.index);
    }
    for (const NodeId node : graph.nodes.ids()) waiting_[node.index] = least.of(node).waits;
    for (const ValueId v : graph.outputs) handed_on_[v.index] = true;
    for (const Value& value : graph.values)
        producers_.push_back(value.producer ? value.producer->index : NodeSet::npos);
    find_pairs();
    bound_near(1, 0);
    cuts_ = std::make_unique<SetCuts>(graph, least, units, readers_, handed_on_);
}

/// Pairs that are legal with all that lies between them: the more of them are not, the less a part may become.
void PromisingSets::find_pairs() {
    const std::vector<NodeSet>& together = rules_.connections().together;
    const std::size_t nodes = together.size();
    NodeSet all(nodes);
    all.set();
    const NodeSet firsts = units_.firsts(all);
    together_.assign(nodes, all);
    for (std::size_t n = 0; n < nodes; ++n) {
        const NodeSet& unit = units_.of[n];
        for (auto m = unit.find_first(); m != NodeSet::npos; m = unit.find_next(m)) together_[n] &= together[m] | unit;
        keep_whole(together_[n]);
    }
    if (firsts.count() > most_paired) return;
    for (auto a = firsts.find_first(); a != NodeSet::npos; a = firsts.find_next(a)) {
        for (auto b = firsts.find_next(a); b != NodeSet::npos; b = firsts.find_next(b)) {
            if (!together_[a].test(b) || closed(units_.of[a] | units_.of[b]).any()) continue;
            for (const auto& [of, other] : {std::pair{a, b}, std::pair{b, a}}) {
                const NodeSet& unit = units_.of[of];
                for (auto m = unit.find_first(); m != NodeSet::npos; m = unit.find_next(m))
                    together_[m] -= units_.of[other];
            }
        }
    }
}

/// What lies between the calls of a set belongs to it, and the rest of each unit, and what lies between those.
NodeSet PromisingSets::closure(const NodeSet& set) const {
    NodeSet closure = rules_.connections().closure(set);
    if (!several_) return closure;
    for (NodeSet whole = units_.whole(closure); whole != closure; whole = units_.whole(closure))
        closure = rules_.connections().closure(whole);
    return closure;
}

void PromisingSets::keep_whole(NodeSet& open) const {
    if (!several_) return;
    for (auto m = open.find_first(); m != NodeSet::npos; m = open.find_next(m))
        if (!units_.of[m].is_subset_of(open)) open.reset(m);
}

NodeSet PromisingSets::closed(const NodeSet& set) const {
    NodeSet closure = this->closure(set);
    const bool legal = closure.is_subset_of(may_join_) && is_legal(closure);
    return legal ? closure : NodeSet(set.size());
}

/// The same sets are met again for other worths.
bool PromisingSets::is_legal(const NodeSet& closure) const {
    const auto [at, added] = legal_.try_emplace(closure);
    if (added) at->second = !rules_.state(members_of(closure)).ends;
    return at->second;
}

bool PromisingSets::is_written(ValueId value, const NodeSet& inside) const {
    return handed_on_[value.index] || !readers_[value.index].is_subset_of(inside);
}
bool PromisingSets::is_made_inside(ValueId value, const NodeSet& inside) const {
    const std::size_t producer = producers_[value.index];
    return producer != NodeSet::npos && inside.test(producer);
}

void PromisingSets::count_set(const NodeSet& set, const NodeSet& inside) {
    memory_ns_ = arithmetic_ns_ = own_ns_ = 0;
    std::fill(read_ns_.begin(), read_ns_.end(), -1);
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) {
        const LeastParts& parts = least_.of(NodeId{static_cast<std::uint32_t>(m)});
        arithmetic_ns_ += parts.arithmetic_ns;
        own_ns_ += parts.own_ns;
        for (const LeastTouch& read : parts.reads) {
            if (is_made_inside(read.value, inside)) continue;
            double& ns = read_ns_[read.value.index];
            if (read.ns > ns) memory_ns_ += read.ns - std::max(0.0, ns);
            ns = std::max(ns, read.ns);
        }
        for (const LeastTouch& write : parts.writes) {
            if (is_written(write.value, inside)) memory_ns_ += write.ns;
        }
    }
}

double PromisingSets::least_ns(const NodeSet& set) {
    count_set(set, set);
    return own_ns_ + least_.of_kernel(memory_ns_, arithmetic_ns_, set.is_subset_of(waiting_));
}

void PromisingSets::bound_near(double memory_ns, double arithmetic_ns) {
    line_ = least_.line_at(memory_ns, arithmetic_ns, may_join_.is_subset_of(waiting_));
}

std::pair<double, double> PromisingSets::times_of(const NodeSet& set) {
    count_set(set, set);
    return {memory_ns_, arithmetic_ns_};
}

std::vector<double> PromisingSets::shares(const NodeSet& set) {
    std::fill(shared_by_.begin(), shared_by_.end(), 0);
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) {
        for (const LeastTouch& read : least_.of(NodeId{static_cast<std::uint32_t>(m)}).reads)
            shared_by_[read.value.index] += 1;
    }
    std::vector<double> shares;
    double sum = 0;
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) {
        const LeastParts& parts = least_.of(NodeId{static_cast<std::uint32_t>(m)});
        double ns = parts.arithmetic_ns + parts.own_ns;
        for (const LeastTouch& read : parts.reads) {
            if (!is_made_inside(read.value, set)) ns += read.ns / shared_by_[read.value.index];
        }
        for (const LeastTouch& write : parts.writes) {
            if (is_written(write.value, set)) ns += write.ns;
        }
        shares.push_back(ns);
        sum += ns;
    }
    // Its launch, to all alike.
    const double each = least_.launch_ns() / static_cast<double>(shares.size());
    for (double& share : shares) share = (share + each) / (sum + least_.launch_ns());
    return shares;
}

bool PromisingSets::is_connected(const NodeSet& set) const { return reached_from(set, set.find_first()) == set; }

/// The calls of the set that are connected to one of them within it.
NodeSet PromisingSets::reached_from(const NodeSet& set, std::size_t call) const {
    NodeSet reached(set.size()), rest = set, last(set.size()), near(set.size());
    last.set(call);
    rest.reset(call);
    while (last.any()) {
        reached |= last;
        near.reset();
        for (auto m = last.find_first(); m != NodeSet::npos; m = last.find_next(m))
            near |= rules_.connections().adjacent[m];
        near &= rest;
        rest -= near;
        last.swap(near);
    }
    return reached;
}

/// Takes what no set of the part holds from what may join; false: the part holds none.
bool PromisingSets::narrow(Part& part) const {
    const Connections& c = rules_.connections();
    if (part.set.none()) return part.open.any();
    NodeSet above(part.set.size()), below(part.set.size());
    for (auto m = part.set.find_first(); m != NodeSet::npos; m = part.set.find_next(m)) {
        above |= c.before[m];
        below |= c.after[m];
    }
    NodeSet out = part.set | part.open;
    out.flip();
    above &= out;
    below &= out;
    for (auto m = part.open.find_first(); m != NodeSet::npos; m = part.open.find_next(m)) {
        // What lies between it and the set.
        if (below.intersects(c.before[m]) || above.intersects(c.after[m])) part.open.reset(m);
    }
    keep_whole(part.open);
    const NodeSet reached = reached_from(part.set | part.open, part.set.find_first());
    part.open &= reached;
    keep_whole(part.open);
    return part.set.is_subset_of(reached);
}

/// Takes in the call that is decided; false: no set with it is legal.
bool PromisingSets::join(Part& part) const {
    part.set |= units_.of[part.branch];
    part.open -= units_.of[part.branch];
    const NodeSet closure = this->closure(part.set);
    if (!(closure - part.set).is_subset_of(part.open)) return false;
    part.set = closure;
    part.open -= closure;
    if (!is_legal(closure)) return false;
    for (auto m = closure.find_first(); m != NodeSet::npos; m = closure.find_next(m)) part.open &= together_[m];
    return narrow(part);
}

double PromisingSets::line_ns(const NodeSet& set) {
    count_set(set, set);
    return line_.fixed_ns + line_.memory * memory_ns_ + line_.arithmetic * arithmetic_ns_ + own_ns_;
}

/// The set of the part that is worth most of its time by cuts, which may be no legal one.
void PromisingSets::bound(Part& part, const std::vector<double>& worth, double above) {
    const bool as_before = part.best.size() > 0 && part.ratio > above && part.set.is_subset_of(part.best) &&
                           part.best.is_subset_of(part.set | part.open);
    if (as_before) return find_branch(part, worth);
    ++steps_;
    part.ratio = above;
    for (double ratio = above;;) {
        NodeSet best = cuts_->best(part.set, part.open, worth, line_, ratio);
        if (best.none()) break;
        const double found = sum_over(best, worth) / line_ns(best);
        if (found <= ratio * (1 + least_difference)) break;
        part.ratio = ratio = found;
        part.best = std::move(best);
    }
    if (part.ratio > above) find_branch(part, worth);
}

/// The call to decide next: of the best set by cuts the one that most of its calls may not stand with, or have calls
/// that are not of the set in between; else one beside what the part holds.
void PromisingSets::find_branch(Part& part, const std::vector<double>& worth) const {
    const Connections& c = rules_.connections();
    NodeSet may = units_.firsts(part.best & part.open);
    if (may.none()) may = units_.firsts(part.open);
    part.leaf = may.none();
    if (part.leaf) return;
    const NodeSet missing = closure(part.best) - part.best;
    const bool is_closed = missing.none();
    NodeSet beside(part.set.size());
    for (auto m = part.set.find_first(); m != NodeSet::npos; m = part.set.find_next(m)) beside |= c.adjacent[m];
    NodeSet against, between;  // of the call at hand: calls that it may not stand with, missing ones beside it
    std::size_t most_against = 0;
    double most_worth = 0;
    bool most_beside = false;
    part.branch = NodeSet::npos;
    for (auto m = may.find_first(); m != NodeSet::npos; m = may.find_next(m)) {
        against = part.best;
        against -= together_[m];
        if (!is_closed) {
            between = c.before[m];
            between |= c.after[m];
            between &= missing;
            against |= between;
        }
        against.reset(m);
        const std::size_t count = against.count();
        const bool is_beside = beside.test(m);
        const auto key = std::tuple{count, is_beside, worth[m]};
        if (part.branch != NodeSet::npos && key <= std::tuple{most_against, most_beside, most_worth}) continue;
        part.branch = m;
        std::tie(most_against, most_beside, most_worth) = key;
    }
}

Unlooked PromisingSets::find(const std::vector<double>& worth, double above, const SearchWork& most, const Show& show) {
    const auto later = [](const Part& a, const Part& b) {
        return a.ratio != b.ratio ? a.ratio < b.ratio : a.number > b.number;
    };
    std::vector<Part> waiting;
    Unlooked rest{above, 0};
    std::size_t numbers = 0;
    steps_ = 0;
    std::unordered_set<NodeSet, boost::hash<NodeSet>> shown;
    bool go_on = true;
    const auto wait = [&](Part part) {
        part.number = numbers++;
        waiting.push_back(std::move(part));
        std::push_heap(waiting.begin(), waiting.end(), later);
    };
    const auto show_set = [&](const NodeSet& set) {
        if (!go_on || set == units_.of[set.find_first()] || !is_connected(set) || !rules_.is_complete(members_of(set)))
            return;
        const double held = sum_over(set, worth), least = least_ns(set);
        if (held > above * least && shown.insert(set).second) go_on = show(set, held, least);
    };
    /// Whether there is anything to look at in it.
    const auto looked_at = [&](Part& part) {
        bound(part, worth, above);
        if (part.ratio <= above) return false;
        const NodeSet closure = closed(part.best);
        if (closure.any()) show_set(closure);
        return !part.leaf;
    };
    Part all{NodeSet(may_join_.size()), may_join_, {}};
    if (looked_at(all)) wait(std::move(all));
    while (!waiting.empty() && go_on) {
        std::pop_heap(waiting.begin(), waiting.end(), later);
        Part part = std::move(waiting.back());
        waiting.pop_back();
        while (go_on) {
            if (steps_ >= most.steps || visits() >= most.visits) {
                rest.ratio = std::max(rest.ratio, part.ratio);
                go_on = false;
                break;
            }
            Part with = part, without = std::move(part);
            without.open -= units_.of[without.branch];
            const double ratio = with.ratio;
            const bool joins = join(with), goes_without = narrow(without);
            if (joins) show_set(with.set);
            const bool join_first = joins && looked_at(with), stays = goes_without && looked_at(without);
            if (!go_on) {
                rest.ratio = std::max(rest.ratio, ratio);
                break;
            }
            if (!join_first && !stays) break;
            const bool first = join_first && (!stays || with.ratio >= without.ratio);
            if (join_first && stays) wait(first ? std::move(without) : std::move(with));
            part = first ? std::move(with) : std::move(without);
        }
    }
    if (!waiting.empty()) rest.ratio = std::max(rest.ratio, waiting.front().ratio);
    rest.steps = steps_;
    return rest;
}

}  // namespace kasc
