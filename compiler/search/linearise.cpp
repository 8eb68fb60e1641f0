// A search for the first order by id whose peak stays below a limit. A set of calls that may have run and that leads to
// none is remembered; where no order keeps the limit, the least peak that went beyond it is the next.
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
        for (long long limit = least_peak();; limit = next_limit_) {
            next_limit_ = std::numeric_limits<long long>::max();
            leads_nowhere_.assign(std::size_t{1} << calls_.size(), false);
            if (complete(0, limit, order)) return order;
        }
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

    /// While a call runs, what it reads and writes is live in every order.
    [[nodiscard]] long long least_peak() const {
        long long peak = 0;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            long long words = 0;
            for (const LiveValue& v : values_)
                if (((v.readers | v.touched_by) & bit(i)) != 0) words += v.words;
            peak = std::max(peak, words);
        }
        return peak;
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

    bool complete(Mask done, long long limit, std::vector<NodeId>& order) {
        if (done + 1 == Mask{1} << calls_.size()) return true;
        if (leads_nowhere_[done]) return false;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            if (!ready(done, i)) continue;
            const long long words = live(done, i);
            if (words > limit) {
                next_limit_ = std::min(next_limit_, words);
                continue;
            }
            order.push_back(calls_[i]);
            if (complete(done | bit(i), limit, order)) return true;
            order.pop_back();
        }
        leads_nowhere_[done] = true;
        return false;
    }

    std::vector<NodeId> calls_;
    std::vector<Mask> before_;
    std::vector<LiveValue> values_;
    std::vector<bool> leads_nowhere_;  // by set of calls done, for the limit at hand
    long long next_limit_ = 0;
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

std::vector<int> value_words(const Program& program, const Graph& graph, const Library& library) {
    std::vector<int> words;
    for (const Value& value : graph.values) {
        const auto* stream = std::get_if<StreamShape>(&program.variables[value.variable].shape);
        words.push_back(stream != nullptr ? library.types[stream->type].words : 1);
    }
    return words;
}

}  // namespace kasc
