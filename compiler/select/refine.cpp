// A heuristic may turn to other fusions when some have become cheaper; those are priced once more in their turn, until
// all that is selected was, or after some rounds.

#include "select/refine.hpp"

#include <algorithm>
#include <set>

namespace kasc {

namespace {

constexpr int most_rounds = 3;

}  // namespace

std::optional<Selection> refine(const Graph& graph, Costing& costing, const Strategy& strategy) {
    costing.sort();
    costing.begin_refining();
    std::optional<Selection> selected;
    std::set<FusionId> done;
    for (int round = 0;; ++round) {
        auto found = strategy.select(graph, costing.so_far(), 1);
        if (found.empty()) return std::nullopt;
        selected = std::move(found.front());
        std::vector<FusionId> again;
        for (const std::size_t c : selected->candidates) {
            const FusionId id = costing.so_far().candidates[c].fusion;
            if (costing.is_priced_in_part(id) && done.insert(id).second) again.push_back(id);
        }
        if (again.empty() || round == most_rounds || costing.out_of_budget()) return selected;
        costing.price_again(again, costing.choices_of_refining(selected->candidates.size()));
    }
}

}  // namespace kasc
