// greedy: take the candidate that saves most against its calls one by one, then the next whose calls are free and with
// which the launches can still be ordered, until all calls are covered.
//
// Where several save alike, to the picosecond, the first is taken by number or, with a seed, by an order that is drawn.
//
// none: every call by itself.

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "select/contraction.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

const std::vector<NodeId>& calls_of(const CostedSpace& costed, std::size_t candidate) {
    return fusion_of(costed.candidates[candidate].schedule).calls;
}

/// The best candidate of each call by itself.
std::map<NodeId, std::size_t> single_candidates(const CostedSpace& costed) {
    std::map<NodeId, std::size_t> singles;
    for (std::size_t c = 0; c < costed.candidates.size(); ++c) {
        const std::vector<NodeId>& calls = calls_of(costed, c);
        if (calls.size() != 1) continue;
        const auto [at, added] = singles.try_emplace(calls.front(), c);
        const auto time = [&](std::size_t i) { return costed.candidates[i].prediction.time_ns; };
        if (!added && time(c) < time(at->second)) at->second = c;
    }
    return singles;
}

class None : public Strategy {
public:
    std::string name() const override { return "none"; }
    std::vector<Selection> select(const Graph& graph, const CostedSpace& costed, std::size_t count) const override {
        const auto singles = single_candidates(costed);
        std::vector<std::size_t> chosen;
        for (NodeId call : calls_to_cover(graph)) {
            const auto single = singles.find(call);
            if (single == singles.end()) return {};
            chosen.push_back(single->second);
        }
        if (count == 0) return {};
        return {make_selection(graph, costed, chosen, name(), "every call by itself, none fused")};
    }
};

class Greedy : public Strategy {
public:
    explicit Greedy(Seed seed) : seed_(seed) {}
    std::string name() const override { return "greedy"; }
    std::vector<Selection> select(const Graph& graph, const CostedSpace& costed, std::size_t count) const override {
        if (count == 0) return {};
        std::set<NodeId> free;
        for (NodeId call : calls_to_cover(graph)) free.insert(call);
        for (const auto& loop : costed.loop_ns) free.insert(loop.first);
        std::vector<std::size_t> chosen;
        for (const auto& [saving, candidate] : by_saving(costed)) {
            if (free.empty()) break;
            const std::vector<NodeId>& calls = calls_of(costed, candidate);
            if (saving <= 0 && holds_loop(costed, calls)) continue;
            if (!std::all_of(calls.begin(), calls.end(), [&](NodeId c) { return free.contains(c); })) continue;
            chosen.push_back(candidate);
            // A call by itself waits for nobody who waits for it.
            if (calls.size() > 1 && !contract(graph, costed, chosen).cycles.empty()) {
                chosen.pop_back();
                continue;
            }
            for (NodeId call : calls) free.erase(call);
        }
        for (const auto& loop : costed.loop_ns) free.erase(loop.first);
        if (!free.empty()) return {};
        return {make_selection(graph, costed, chosen, name(),
                               costed.at_least_ns > 0 ? "greedy" : "greedy: the distance to the optimum is not known")};
    }

private:
    Seed seed_;

    static bool holds_loop(const CostedSpace& costed, const std::vector<NodeId>& calls) {
        return std::any_of(calls.begin(), calls.end(), [&](NodeId c) { return costed.loop_ns.contains(c); });
    }

    /// (saving, candidate), the largest saving first, ties by rank. A call that has no kernel by itself saves
    /// more than any other.
    [[nodiscard]] std::vector<std::pair<double, std::size_t>> by_saving(const CostedSpace& costed) const {
        const auto singles = single_candidates(costed);
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t c = 0; c < costed.candidates.size(); ++c) {
            double saving = -costed.candidates[c].prediction.time_ns;
            for (NodeId call : calls_of(costed, c)) {
                if (const auto loop = costed.loop_ns.find(call); loop != costed.loop_ns.end()) {
                    saving += loop->second;
                    continue;
                }
                const auto single = singles.find(call);
                if (single == singles.end()) {
                    saving = std::numeric_limits<double>::infinity();
                } else {
                    saving += costed.candidates[single->second].prediction.time_ns;
                }
            }
            order.emplace_back(saving, c);
        }
        const std::vector<std::size_t> ranks = tie_ranks(costed, seed_);
        std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
            const double x = whole_ps(a.first), y = whole_ps(b.first);
            return x != y ? x > y : ranks[a.second] < ranks[b.second];
        });
        return order;
    }
};

}  // namespace

std::unique_ptr<Strategy> make_greedy(Seed seed) { return std::make_unique<Greedy>(seed); }
std::unique_ptr<Strategy> make_none(Seed /*seed*/) { return std::make_unique<None>(); }

}  // namespace kasc
