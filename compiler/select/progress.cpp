// Selection made again of the prices that were known at some points of the search, in the order in which they were
// made:
//
//   priced   f 4 schedules, 10 us   g 8, 12 us   {f g} 12, 15 us   {f g} once more 60, 14 us
//   points   8: 22 us   12: 15 us   60: 14 us

#include "select/progress.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace kasc {

namespace {

/// Points double the work from one to the next: ten are a thousand times the first.
constexpr std::size_t most_points = 10;

/// The first `count` prices, a candidate a fusion. Strategies look at calls and times alone.
CostedSpace known_after(const CostedSpace& costed, std::size_t count) {
    CostedSpace known;
    known.loop_ns = costed.loop_ns;
    known.space.fusions = costed.space.fusions;
    known.space.whole = false;
    std::map<FusionId, double> times;
    for (std::size_t k = 0; k < count; ++k) times[costed.pricings[k].fusion] = costed.pricings[k].time_ns;
    for (const auto& [fusion, ns] : times) {
        if (!std::isfinite(ns)) continue;
        StreamSchedule schedule;
        schedule.fusion = costed.space.fusions[fusion];
        Prediction prediction;
        prediction.time_ns = ns;
        known.candidates.push_back({fusion, std::move(schedule), prediction});
    }
    return known;
}

/// Numbers of prices after which something is told, the last left out.
std::vector<std::size_t> points_of(const CostedSpace& costed) {
    const std::vector<Pricing>& pricings = costed.pricings;
    std::set<FusionId> seen;
    std::set<NodeId> uncovered;
    for (const Fusion& fusion : costed.space.fusions) uncovered.insert(fusion.calls.begin(), fusion.calls.end());
    for (const auto& loop : costed.loop_ns) uncovered.erase(loop.first);
    std::vector<std::size_t> points;
    std::size_t next = 0;
    for (std::size_t k = 0; k + 1 < pricings.size(); ++k) {
        const auto& calls = costed.space.fusions[pricings[k].fusion].calls;
        if (std::isfinite(pricings[k].time_ns))
            for (const NodeId call : calls) uncovered.erase(call);
        const bool last_of_space = seen.insert(pricings[k].fusion).second && seen.contains(pricings[k + 1].fusion);
        const bool due = uncovered.empty() && pricings[k].evaluated >= next && points.size() < most_points;
        if (!due && !last_of_space) continue;
        next = 2 * pricings[k].evaluated;
        points.push_back(k + 1);
    }
    return points;
}

}  // namespace

std::vector<Progress> progress_of(const Graph& graph, const CostedSpace& costed, const Strategy& strategy,
                                  double selected_ns) {
    std::vector<Progress> made;
    const auto add = [&](std::size_t schedules, double ns) {
        made.push_back({schedules, ns, made.empty() ? ns : std::min(ns, made.back().best_ns)});
    };
    for (const std::size_t point : points_of(costed)) {
        const auto found = strategy.select(graph, known_after(costed, point), 1);
        if (!found.empty()) add(costed.pricings[point - 1].evaluated, found.front().time_ns);
    }
    if (!costed.pricings.empty()) add(costed.evaluated, selected_ns);
    return made;
}

}  // namespace kasc
