// Calls on the source's side are the set. What is cut is what it misses and pays:
//
//   source → call      the call's worth beyond its operations and what it writes in any case: missed
//   call → sink        the same where it is less than nothing: paid
//   reader → r         never; r → producer, or sink where no call makes the value: what reading takes, paid once where
//                      a reader is in the set and the producer is not. Readers that read more than others have another
//                      r for the rest
//   producer → w       what writing takes, paid where the producer is in the set and a reader is not; w → reader: never
//
//   f = p, g = f + p   f, g worth 5 each, a field 2:   {f} 5 - 2 - 2   {f g} 10 - 2 - 2

#include "select/set_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace kasc {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// The part of the sum of all worth that is negligible: less is rounding.
constexpr double negligible_part = 1e-12;

/// By value, the calls that read it, with their times.
using Reads = std::map<ValueId, std::vector<std::pair<double, std::size_t>>>;

Reads reads_of(const Graph& graph, const LeastTimes& least) {
    Reads reads;
    for (const NodeId node : graph.nodes.ids()) {
        for (const LeastTouch& read : least.of(node).reads) {
            if (read.ns > 0) reads[read.value].emplace_back(read.ns, node.index);
        }
    }
    for (auto& [value, all] : reads) std::sort(all.begin(), all.end());
    return reads;
}

std::size_t levels_of(const std::vector<std::pair<double, std::size_t>>& reads) {
    std::size_t levels = 0;
    for (std::size_t k = 0; k < reads.size(); ++k) levels += k == 0 || reads[k].first > reads[k - 1].first ? 1 : 0;
    return levels;
}

std::size_t count_vertices(const Graph& graph, const LeastTimes& least) {
    std::size_t vertices = 2 + graph.nodes.size();
    for (const auto& [value, reads] : reads_of(graph, least)) vertices += levels_of(reads);
    for (const NodeId node : graph.nodes.ids()) vertices += least.of(node).writes.size();
    return vertices;
}

}  // namespace

SetCuts::SetCuts(const Graph& graph, const LeastTimes& least, const Units& units, const std::vector<NodeSet>& readers,
                 const std::vector<bool>& handed_on)
    : least_(least), handed_on_(handed_on), calls_(graph.nodes.size()), network_(count_vertices(graph, least)) {
    for (const NodeId node : graph.nodes.ids()) {
        vertices_.push_back(2 + units.of[node.index].find_first());
        const LeastParts& parts = least.of(node);
        own_.push_back({parts.arithmetic_ns, parts.own_ns, {}});
        for (const LeastTouch& write : parts.writes)
            if (handed_on[write.value.index]) own_.back().writes_ns.push_back(write.ns);
        gains_.push_back(network_.add_edge(0, vertices_.back()));
        losses_.push_back(network_.add_edge(vertices_.back(), 1));
    }
    std::size_t vertices = 2 + calls_;
    add_reads(graph, vertices);
    add_writes(graph, readers, vertices);
}

void SetCuts::add_reads(const Graph& graph, std::size_t& vertices) {
    for (const auto& [value, reads] : reads_of(graph, least_)) {
        const auto producer = graph.values[value].producer;
        const std::size_t to = producer ? vertices_[producer->index] : 1;
        double below = 0;
        for (std::size_t k = 0; k < reads.size(); ++k) {
            if (k > 0 && reads[k].first <= below) continue;
            const std::size_t paid = vertices++;
            touched_.push_back({network_.add_edge(paid, to), reads[k].first - below});
            below = reads[k].first;
            for (std::size_t reader = k; reader < reads.size(); ++reader)
                (void)network_.add_edge(vertices_[reads[reader].second], paid, never);
        }
    }
}

void SetCuts::add_writes(const Graph& graph, const std::vector<NodeSet>& readers, std::size_t& vertices) {
    for (const NodeId node : graph.nodes.ids()) {
        for (const LeastTouch& write : least_.of(node).writes) {
            if (handed_on_[write.value.index] || write.ns <= 0) continue;
            const std::size_t paid = vertices++;
            touched_.push_back({network_.add_edge(vertices_[node.index], paid), write.ns});
            const NodeSet& all = readers[write.value.index];
            for (auto reader = all.find_first(); reader != NodeSet::npos; reader = all.find_next(reader))
                (void)network_.add_edge(paid, vertices_[reader], never);
        }
    }
}

NodeSet SetCuts::best(const NodeSet& in, const NodeSet& open, const std::vector<double>& worth, const LeastLine& line,
                      double times) {
    double sum = 0;
    for (std::size_t call = 0; call < calls_; ++call) {
        const OwnTime& own = own_[call];
        double gain = own.arithmetic_ns * line.arithmetic + own.own_ns;
        for (const double ns : own.writes_ns) gain += ns * line.memory;
        gain = worth[call] - times * gain;
        sum += std::abs(gain);
        const bool held = in.test(call), out = !held && !open.test(call);
        network_.set_capacity(gains_[call], held ? never : out ? 0 : std::max(0.0, gain));
        network_.set_capacity(losses_[call], out ? never : held ? 0 : std::max(0.0, -gain));
    }
    for (const Paid& touch : touched_) network_.set_capacity(touch.edge, times * line.memory * touch.ns);
    const std::vector<bool>& side = network_.source_side(negligible_part * sum);
    NodeSet set(calls_);
    for (std::size_t call = 0; call < calls_; ++call)
        if (side[vertices_[call]]) set.set(call);
    return set;
}

}  // namespace kasc
