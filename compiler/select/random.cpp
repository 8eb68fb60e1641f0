// Covers the calls in the order of the program, each by a candidate drawn from those that fit. It is what a heuristic
// must beat. A draw that ends where no candidate fits, or in fusions that wait for each other, is made again.
//
// Fusions and their choices are drawn from two sequences of numbers, so that the same fusions are drawn whatever is
// known of their choices: those that are priced once more are those of the plan. The first draw takes the best choices.

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "select/contraction.hpp"
#include "select/cover.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Draws for one selection that is wanted, before it is given up.
constexpr int most_draws = 100;

class Random : public Strategy {
public:
    explicit Random(unsigned seed) : seed_(seed) {}
    std::string name() const override { return "random"; }
    std::vector<Selection> select(const Graph& graph, const CostedSpace& costed, std::size_t count) const override {
        std::mt19937 fusions(seed_), choices(seed_);
        const auto covers = covers_by_first(costed);
        const std::vector<NodeId> nodes = nodes_to_cover(graph, costed);
        std::set<std::vector<std::size_t>> distinct;
        std::vector<Selection> found;
        for (std::size_t draws = 0; found.size() < count && draws < count * most_draws; ++draws) {
            auto chosen = draw(fusions, nodes, covers, costed);
            if (chosen && !found.empty()) draw_choices(choices, costed, *chosen);
            if (!chosen) continue;
            std::sort(chosen->begin(), chosen->end());
            if (!distinct.insert(*chosen).second || !contract(graph, costed, *chosen).cycles.empty()) continue;
            found.push_back(
                make_selection(graph, costed, *chosen, name(), fmt::format("drawn at random with seed {}", seed_)));
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Selection& a, const Selection& b) { return a.time_ns < b.time_ns; });
        return found;
    }

private:
    unsigned seed_;

    /// Fusions, each by its best candidate.
    static std::optional<std::vector<std::size_t>> draw(std::mt19937& generator, const std::vector<NodeId>& nodes,
                                                        const std::map<NodeId, std::vector<Cover>>& covers,
                                                        const CostedSpace& costed) {
        std::set<NodeId> free(nodes.begin(), nodes.end());
        std::vector<std::size_t> chosen;
        for (NodeId node : nodes) {
            if (!free.contains(node)) continue;
            std::vector<const Cover*> fitting;
            std::set<FusionId> seen;
            if (const auto at = covers.find(node); at != covers.end()) {
                for (const Cover& cover : at->second) {
                    const bool fits =
                        std::all_of(cover.nodes.begin(), cover.nodes.end(), [&](NodeId n) { return free.contains(n); });
                    const bool first =
                        !cover.candidate || seen.insert(costed.candidates[*cover.candidate].fusion).second;
                    if (fits && first) fitting.push_back(&cover);
                }
            }
            if (fitting.empty()) return std::nullopt;
            // The remainder and not a distribution: the same numbers with every standard library.
            const Cover& cover = *fitting[generator() % fitting.size()];
            for (NodeId n : cover.nodes) free.erase(n);
            if (cover.candidate) chosen.push_back(*cover.candidate);
        }
        return chosen;
    }

    /// Another candidate of each fusion, in place of the best. Candidates of a fusion stand together, the best first.
    static void draw_choices(std::mt19937& generator, const CostedSpace& costed, std::vector<std::size_t>& chosen) {
        for (std::size_t& candidate : chosen) {
            const FusionId fusion = costed.candidates[candidate].fusion;
            std::size_t end = candidate;
            while (end < costed.candidates.size() && costed.candidates[end].fusion == fusion) ++end;
            candidate += generator() % (end - candidate);
        }
    }
};

}  // namespace

std::unique_ptr<Strategy> make_random(Seed seed) { return std::make_unique<Random>(seed.value_or(1)); }

}  // namespace kasc
