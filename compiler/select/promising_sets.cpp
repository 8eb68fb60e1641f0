// A part is a set of calls, and calls that may still join it. One of those that are adjacent is decided: it joins, with
// all that lies between, or never does. So each connected convex set is met once.
//
// What a part may become at best: its calls' worth and that of those that join, over a least time. Of the least time is
// certain what its calls read that no call of it can make, and write that a call outside reads. A call that joins adds
// its own such traffic; what several that may join read is shared out among them, what the part reads already is free:
//
//   f = f[x - 1] + a    part {f}, open {g, h}, worth 46 each, 22 a field: f reads f, a and writes f: 2 + 66
//   g = g[x - 1] + a    g and h add 44 each:  (46 + 46 + 46) / (68 + 44 + 44) = 0.88 at most: no set with f is worth it
//   h = h[x - 1] + a
//
// Calls are taken in as long as their worth over what they add is above the ratio so far, which makes it largest. Parts
// are looked at in the order of that bound, but from each the better branch is followed to its end first.

#include "select/promising_sets.hpp"

#include <algorithm>

#include "search/legality.hpp"

namespace kasc {

namespace {

/// Calls up to which all pairs are closed, which takes some 20 us each.
constexpr std::size_t most_paired = 200;

/// The largest (worth + some gains) / (time + their times), `time_of` each.
template <class TimeOf, class Gains>
double best_ratio(double worth, double time, Gains& gains, const TimeOf& time_of) {
    std::sort(gains.begin(), gains.end(), [&](const auto& a, const auto& b) {
        const double left = a.worth * time_of(b), right = b.worth * time_of(a);
        return left != right ? left > right : a.call < b.call;
    });
    for (const auto& gain : gains) {
        if (gain.worth * time <= worth * time_of(gain)) break;
        worth += gain.worth;
        time += time_of(gain);
    }
    return worth / time;
}

}  // namespace

PromisingSets::PromisingSets(const Graph& graph, const SetRules& rules, const LeastTimes& least, NodeSet apart)
    : graph_(graph),
      rules_(rules),
      least_(least),
      may_join_(graph.nodes.size()),
      readers_(graph.values.size(), NodeSet(graph.nodes.size())),
      handed_on_(graph.values.size()),
      read_ns_(graph.values.size()),
      shared_by_(graph.values.size()) {
    for (const NodeId node : graph.nodes.ids()) {
        if (rules.may_stand_in_a_kernel(node) && !apart.test(node.index)) may_join_.set(node.index);
        for (const ValueId v : graph.nodes[node].reads) readers_[v.index].set(node.index);
    }
    for (const ValueId v : graph.outputs) handed_on_[v.index] = true;
    find_pairs();
}

/// Pairs that are legal with all that lies between them: the more of them are not, the less a part may become.
void PromisingSets::find_pairs() {
    together_ = rules_.connections().together;
    if (graph_.nodes.size() > most_paired) return;
    for (std::uint32_t a = 0; a < together_.size(); ++a) {
        for (auto b = together_[a].find_next(a); b != NodeSet::npos; b = together_[a].find_next(b)) {
            NodeSet both(together_.size());
            both.set(a).set(b);
            if (closed(both).any()) continue;
            together_[a].reset(b);
            together_[b].reset(a);
        }
    }
}

NodeSet PromisingSets::closed(const NodeSet& set) const {
    NodeSet closure = rules_.connections().closure(members_of(set));
    const bool legal = closure.is_subset_of(may_join_) && !rules_.state(members_of(closure)).ends;
    return legal ? closure : NodeSet(set.size());
}

bool PromisingSets::is_written(ValueId value, const NodeSet& inside) const {
    return handed_on_[value.index] || !readers_[value.index].is_subset_of(inside);
}
bool PromisingSets::is_made_inside(ValueId value, const NodeSet& inside) const {
    const auto producer = graph_.values[value].producer;
    return producer && inside.test(producer->index);
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

void PromisingSets::count_joining(const Part& part, const NodeSet& inside, const std::vector<double>& worth) {
    gains_.clear();
    std::fill(shared_by_.begin(), shared_by_.end(), 0);
    for (auto m = part.open.find_first(); m != NodeSet::npos; m = part.open.find_next(m)) {
        for (const LeastTouch& read : least_.of(NodeId{static_cast<std::uint32_t>(m)}).reads)
            shared_by_[read.value.index] += 1;
    }
    for (auto m = part.open.find_first(); m != NodeSet::npos; m = part.open.find_next(m)) {
        const LeastParts& parts = least_.of(NodeId{static_cast<std::uint32_t>(m)});
        Gain gain{worth[m], parts.own_ns, parts.arithmetic_ns + parts.own_ns, m};
        for (const LeastTouch& read : parts.reads) {
            if (read_ns_[read.value.index] >= 0 || is_made_inside(read.value, inside)) continue;
            gain.memory_ns += read.ns / shared_by_[read.value.index];
        }
        for (const LeastTouch& write : parts.writes) {
            if (is_written(write.value, inside)) gain.memory_ns += write.ns;
        }
        gains_.push_back(gain);
    }
}

void PromisingSets::bound(Part& part, const std::vector<double>& worth) {
    const NodeSet inside = part.set | part.open;
    count_set(part.set, inside);
    count_joining(part, inside, worth);
    const double held = sum_over(part.set, worth);
    const double certain_ns = least_.launch_ns() + own_ns_;
    const bool computes = arithmetic_ns_ > 0;
    const double by_arithmetic =
        computes ? best_ratio(held, certain_ns + arithmetic_ns_, gains_, [](const Gain& g) { return g.arithmetic_ns; })
                 : 0;
    part.ratio = best_ratio(held, certain_ns + memory_ns_, gains_, [](const Gain& g) { return g.memory_ns; });
    if (computes) part.ratio = std::min(part.ratio, by_arithmetic);
    part.leaf = true;
    for (const Gain& gain : gains_) {
        if (!part.touching.test(gain.call)) continue;
        part.branch = gain.call;
        part.leaf = false;
        break;
    }
}

double PromisingSets::least_ns(const NodeSet& set) {
    count_set(set, set);
    return least_.launch_ns() + own_ns_ + least_.together(memory_ns_, arithmetic_ns_);
}

std::vector<double> PromisingSets::shares(const NodeSet& set) {
    Part none{NodeSet(set.size()), set, set};
    std::fill(read_ns_.begin(), read_ns_.end(), -1);
    count_joining(none, set, std::vector<double>(set.size()));
    double sum = 0;
    for (const Gain& gain : gains_) sum += gain.memory_ns + gain.arithmetic_ns;
    // Its launch, to all alike.
    const double each = least_.launch_ns() / static_cast<double>(gains_.size());
    std::vector<double> shares;
    for (const Gain& gain : gains_)
        shares.push_back((gain.memory_ns + gain.arithmetic_ns + each) / (sum + least_.launch_ns()));
    return shares;
}

/// Takes in the call that is decided; false: no set with it is legal.
bool PromisingSets::join(Part& part) const {
    const Connections& c = rules_.connections();
    part.set.set(part.branch);
    const NodeSet closure = c.closure(members_of(part.set));
    part.open.reset(part.branch);
    const NodeSet between = closure - part.set;
    if (!between.is_subset_of(part.open)) return false;
    part.set = closure;
    part.open -= closure;
    if (rules_.state(members_of(closure)).ends) return false;
    part.touching.reset();
    for (auto m = closure.find_first(); m != NodeSet::npos; m = closure.find_next(m)) {
        part.open &= together_[m];
        part.touching |= c.adjacent[m];
    }
    return true;
}

Unlooked PromisingSets::find(const std::vector<double>& worth, double above, std::size_t most_steps, const Show& show) {
    const auto later = [](const Part& a, const Part& b) {
        return a.ratio != b.ratio ? a.ratio < b.ratio : a.number > b.number;
    };
    std::vector<Part> waiting;
    Unlooked rest{above, 0};
    std::size_t numbers = 0;
    const auto wait = [&](Part part) {
        part.number = numbers++;
        waiting.push_back(std::move(part));
        std::push_heap(waiting.begin(), waiting.end(), later);
    };
    NodeSet after = may_join_;
    for (auto root = may_join_.find_first(); root != NodeSet::npos; root = may_join_.find_next(root)) {
        after.reset(root);
        Part part{NodeSet(after.size()), after & together_[root], rules_.connections().adjacent[root]};
        part.set.set(root);
        bound(part, worth);
        if (!part.leaf && part.ratio > above) wait(std::move(part));
    }
    bool go_on = true;
    while (!waiting.empty() && go_on) {
        std::pop_heap(waiting.begin(), waiting.end(), later);
        Part part = std::move(waiting.back());
        waiting.pop_back();
        while (go_on) {
            if (rest.steps++ >= most_steps) {
                rest.ratio = std::max(rest.ratio, part.ratio);
                go_on = false;
                break;
            }
            Part with = part, without = std::move(part);
            without.open.reset(without.branch);
            bound(without, worth);
            bool joins = join(with);
            if (joins) {
                const double held = sum_over(with.set, worth);
                const double least = least_ns(with.set);
                if (held > above * least) go_on = show(with.set, held, least);
                bound(with, worth);
                joins = !with.leaf && with.ratio > above;
            }
            const bool stays = !without.leaf && without.ratio > above;
            if (!go_on) {
                if (joins) rest.ratio = std::max(rest.ratio, with.ratio);
                if (stays) rest.ratio = std::max(rest.ratio, without.ratio);
                break;
            }
            if (!joins && !stays) break;
            const bool join_first = joins && (!stays || with.ratio >= without.ratio);
            if (joins && stays) wait(join_first ? std::move(without) : std::move(with));
            part = join_first ? std::move(with) : std::move(without);
        }
    }
    if (!waiting.empty()) rest.ratio = std::max(rest.ratio, waiting.front().ratio);
    return rest;
}

}  // namespace kasc
