// Dynamic programming over the sets of calls that may have run. best(done) is the least peak of what is still to run;
// only sets that a topological order passes through are visited.
//
//   t = f(a)  u = g(b)  v = h(t)  w = k(u, v)       t is a matrix (9 words), the others are scalars
//   f g h k: h runs with t, u and v alive, 11 words;  f h g k: t is gone when g runs, 10 words
//
// Live while call c runs after `done`: what c reads and writes, and every value of a call or input already touched that
// a call still to run reads.

#include "search/linearise.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "search/legality.hpp"

namespace kasc {

namespace {

using Mask = std::uint32_t;

struct LiveValue {
    Mask touched_by = 0;  // the producer, or for an input every reader
    Mask readers = 0;
    long long words = 0;
};

class Order {
public:
    Order(const Graph& graph, std::vector<NodeId> calls, const std::vector<int>& words) : calls_(std::move(calls)) {
        std::sort(calls_.begin(), calls_.end());
        std::map<ValueId, LiveValue> values;
        before_.assign(calls_.size(), 0);
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            for (NodeId p : predecessors(graph, calls_[i])) {
                const auto at = std::lower_bound(calls_.begin(), calls_.end(), p);
                if (at != calls_.end() && *at == p) before_[i] |= bit(static_cast<std::size_t>(at - calls_.begin()));
            }
            for (ValueId v : values_read(graph, calls_[i])) values[v].readers |= bit(i);
            for (ValueId v : graph.nodes[calls_[i]].writes) values[v].touched_by |= bit(i);
        }
        for (auto& [id, value] : values) {
            if (value.touched_by == 0) value.touched_by = value.readers;
            value.words = words.at(id.index);
            values_.push_back(value);
        }
    }

    std::vector<NodeId> exact() {
        std::vector<NodeId> order;
        const long long peak = best(0);
        Mask done = 0;
        while (order.size() < calls_.size()) {
            for (std::size_t i = 0; i < calls_.size(); ++i) {
                if (!ready(done, i) || std::max(live(done, i), best(done | bit(i))) > peak) continue;
                order.push_back(calls_[i]);
                done |= bit(i);
                break;
            }
        }
        return order;
    }

    /// The ready call with the least words live next; what stays exact is that the order is topological.
    std::vector<NodeId> greedy() const {
        std::vector<NodeId> order;
        Mask done = 0;
        while (order.size() < calls_.size()) {
            std::size_t chosen = calls_.size();
            long long least = std::numeric_limits<long long>::max();
            for (std::size_t i = 0; i < calls_.size(); ++i) {
                if (!ready(done, i) || live(done, i) >= least) continue;
                least = live(done, i);
                chosen = i;
            }
            order.push_back(calls_[chosen]);
            done |= bit(chosen);
        }
        return order;
    }

private:
    static Mask bit(std::size_t i) { return Mask{1} << i; }

    [[nodiscard]] bool ready(Mask done, std::size_t call) const {
        return (done & bit(call)) == 0 && (before_[call] & ~done) == 0;
    }

    [[nodiscard]] long long live(Mask done, std::size_t call) const {
        long long words = 0;
        for (const LiveValue& v : values_) {
            const bool here = ((v.readers | v.touched_by) & bit(call)) != 0;
            const bool across = (v.touched_by & done) != 0 && (v.readers & ~(done | bit(call))) != 0;
            if (here || across) words += v.words;
        }
        return words;
    }

    long long best(Mask done) {
        if (done + 1 == Mask{1} << calls_.size()) return 0;
        if (best_.empty()) best_.assign(std::size_t{1} << calls_.size(), -1);
        if (best_[done] >= 0) return best_[done];
        long long least = std::numeric_limits<long long>::max();
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            if (ready(done, i)) least = std::min(least, std::max(live(done, i), best(done | bit(i))));
        }
        return best_[done] = least;
    }

    std::vector<NodeId> calls_;
    std::vector<Mask> before_;
    std::vector<LiveValue> values_;
    std::vector<long long> best_;  // by set of calls done; -1: not known yet
};

}  // namespace

std::vector<NodeId> linearise(const Graph& graph, std::vector<NodeId> calls, const std::vector<int>& words) {
    std::sort(calls.begin(), calls.end());
    // Ids are a topological order; more calls than a mask has bits keep it.
    if (calls.size() < 2 || calls.size() >= 32) return calls;
    const bool exact = calls.size() <= largest_exact_order;
    Order order(graph, std::move(calls), words);
    return exact ? order.exact() : order.greedy();
}

}  // namespace kasc
