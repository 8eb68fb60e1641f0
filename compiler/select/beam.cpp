// Covers the calls in the order of the program; of the partial covers of as many first calls the best few go on.
//
//   f g h, beam 2:    first call f    {f} 10, {f g} 12                      both kept
//                     first free g    {f}{g} 20, {f}{g h} 21, {f g}{h} 18   {f g}{h} is whole, {f}{g} is dropped
//
// A partial cover is ranked by its time and a bound of the rest: of each call that is not covered the least share of a
// candidate's time, which no cover goes below. Where several are alike, to the picosecond, the one counts whose
// candidates come first by number or, with a seed, by an order that is drawn.

#include <algorithm>
#include <limits>
#include <set>

#include "select/contraction.hpp"
#include "select/cover.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Partial covers that go on from a call. A hundred calls with twenty candidates each then take 64 000 steps.
constexpr std::size_t beam_width = 32;

struct Partial {
    std::vector<bool> covered;  // by place among the nodes to cover
    std::vector<std::size_t> chosen;
    double time_ns = 0, bound_ns = 0;
};

class BeamSearch {
public:
    BeamSearch(const Graph& graph, const CostedSpace& costed, Seed seed)
        : graph_(graph),
          costed_(costed),
          nodes_(nodes_to_cover(graph, costed)),
          covers_(covers_by_first(costed)),
          ranks_(tie_ranks(costed, seed)) {
        for (std::size_t k = 0; k < nodes_.size(); ++k) place_[nodes_[k]] = k;
        share_.assign(nodes_.size(), std::numeric_limits<double>::infinity());
        for (const auto& entry : covers_) {
            for (const Cover& cover : entry.second) {
                const double share = cover.time_ns / static_cast<double>(cover.nodes.size());
                for (NodeId n : cover.nodes) share_[place_.at(n)] = std::min(share_[place_.at(n)], share);
            }
        }
    }

    /// Whole covers that can be launched, best first.
    std::vector<Partial> run(std::size_t count) {
        std::map<std::size_t, std::vector<Partial>> waiting;  // by the first place that is free
        Partial nothing{std::vector<bool>(nodes_.size(), false), {}, 0, 0};
        for (double share : share_) nothing.bound_ns += share;
        waiting[0].push_back(nothing);
        std::vector<Partial> whole;
        while (!waiting.empty()) {
            const std::size_t at = waiting.begin()->first;
            std::vector<Partial> level = std::move(waiting.begin()->second);
            waiting.erase(waiting.begin());
            trim(level, at == nodes_.size() ? std::max(beam_width, 4 * count) : beam_width);
            if (at == nodes_.size()) {
                whole = std::move(level);
                break;
            }
            for (const Partial& partial : level) extend(partial, at, waiting);
        }
        std::erase_if(whole, [&](const Partial& p) { return !contract(graph_, costed_, p.chosen).cycles.empty(); });
        if (whole.size() > count) whole.resize(count);
        return whole;
    }

private:
    void trim(std::vector<Partial>& level, std::size_t most) const {
        std::stable_sort(level.begin(), level.end(), [&](const Partial& a, const Partial& b) {
            const double x = whole_ps(a.bound_ns), y = whole_ps(b.bound_ns);
            if (x != y) return x < y;
            return std::lexicographical_compare(a.chosen.begin(), a.chosen.end(), b.chosen.begin(), b.chosen.end(),
                                                [&](std::size_t c, std::size_t d) { return ranks_[c] < ranks_[d]; });
        });
        if (level.size() > most) level.resize(most);
    }

    void extend(const Partial& partial, std::size_t at, std::map<std::size_t, std::vector<Partial>>& waiting) const {
        const auto covers = covers_.find(nodes_[at]);
        if (covers == covers_.end()) return;
        for (const Cover& cover : covers->second) {
            const bool free = std::none_of(cover.nodes.begin(), cover.nodes.end(),
                                           [&](NodeId n) { return partial.covered[place_.at(n)]; });
            if (!free) continue;
            Partial next = partial;
            for (NodeId n : cover.nodes) {
                next.covered[place_.at(n)] = true;
                next.bound_ns -= share_[place_.at(n)];
            }
            next.time_ns += cover.time_ns;
            next.bound_ns += cover.time_ns;
            if (cover.candidate) next.chosen.push_back(*cover.candidate);
            const auto first = std::find(next.covered.begin(), next.covered.end(), false);
            waiting[static_cast<std::size_t>(first - next.covered.begin())].push_back(std::move(next));
        }
    }

    const Graph& graph_;
    const CostedSpace& costed_;
    std::vector<NodeId> nodes_;
    std::map<NodeId, std::vector<Cover>> covers_;
    std::map<NodeId, std::size_t> place_;
    std::vector<double> share_;       // by place
    std::vector<std::size_t> ranks_;  // by candidate
};

class Beam : public Strategy {
public:
    explicit Beam(Seed seed) : seed_(seed) {}
    std::string name() const override { return "beam"; }
    std::vector<Selection> select(const Graph& graph, const CostedSpace& costed, std::size_t count) const override {
        std::vector<Selection> found;
        if (count == 0) return found;
        for (const Partial& partial : BeamSearch(graph, costed, seed_).run(count)) {
            found.push_back(
                make_selection(graph, costed, partial.chosen, name(),
                               costed.at_least_ns > 0 ? "beam" : "beam: the distance to the optimum is not known"));
        }
        return found;
    }

private:
    Seed seed_;
};

}  // namespace

std::unique_ptr<Strategy> make_beam(Seed seed) { return std::make_unique<Beam>(seed); }

}  // namespace kasc
