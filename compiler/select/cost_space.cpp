// All fusions of a space, or those that can be in the best selection.
//
// Which can? A fusion's least time (model/least_time.cpp) is known before any of its choices is. Of the relaxed problem
// of covering every call at these least times, linear programming gives the value L and each fusion's reduced cost r:
// every selection that has the fusion takes at least L + r. So fusions are priced in the order of r, until the best
// selection of those priced takes no longer than L + r of the next: none of the rest can be in a better one. Where that
// takes too long the rest is left out, and L + r of the next says how much there may be to gain.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "select/costing.hpp"
#include "select/partition.hpp"
#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Of lp_solve's values and of costs rounded to picoseconds.
constexpr double rounding = 1e-6;
/// The first are priced without looking; then each time as many again.
constexpr std::size_t first_batch = 192;
/// Selections beyond the best are among those that are at most so much slower.
constexpr double slower_too = 1.1;

struct Promise {
    std::vector<FusionId> order;   ///< the most promising first; single calls before all
    std::vector<double> at_least;  ///< by position: what every selection with the fusion takes, in nanoseconds
};

Promise rank(const Program& program, const Graph& graph, const Library& library, const Device& device,
             const Problem& problem, const CostedSpace& costed) {
    std::map<NodeId, int> rows;
    for (const NodeId call : calls_to_cover(graph)) rows.emplace(call, static_cast<int>(rows.size()));
    for (const auto& entry : costed.loop_ns) rows.emplace(entry.first, static_cast<int>(rows.size()));
    PartitionProblem relaxed;
    relaxed.rows = static_cast<int>(rows.size());
    for (const Fusion& fusion : costed.space.fusions) {
        const double least = least_time_ns(fusion, program, *costed.expanded, library, device, problem);
        Column column{{}, static_cast<std::int64_t>(least * 1000)};
        for (const NodeId call : fusion.calls) column.rows.push_back(rows.at(call));
        relaxed.columns.push_back(std::move(column));
    }
    for (const auto& [loop, time] : costed.loop_ns)
        relaxed.columns.push_back({{rows.at(loop)}, static_cast<std::int64_t>(time * 1000)});
    const Relaxation relaxation = relax_partition(relaxed);
    Promise promise;
    for (const FusionId id : costed.space.fusions.ids()) promise.order.push_back(id);
    const auto at_least = [&](FusionId id) {
        return (relaxation.value + std::max(0.0, relaxation.reduced_costs.at(id.index))) / 1000;
    };
    const auto is_single = [&](FusionId id) { return costed.space.fusions[id].calls.size() == 1; };
    std::stable_sort(promise.order.begin(), promise.order.end(), [&](FusionId a, FusionId b) {
        if (is_single(a) != is_single(b)) return is_single(a);
        return at_least(a) < at_least(b);
    });
    for (const FusionId id : promise.order) promise.at_least.push_back(at_least(id));
    return promise;
}

}  // namespace

CostedSpace cost_space(const Program& program, const Graph& graph, const Library& library, const Device& device,
                       const Problem& problem, FusionSpace space, const CostOptions& options,
                       std::map<NodeId, double> loop_ns) {
    const std::size_t fusions = space.fusions.size();
    Costing costing(program, graph, library, device, problem, options, std::move(space), std::move(loop_ns), fusions);
    for (const FusionId id : costing.so_far().space.fusions.ids()) costing.price(id);
    return costing.finish();
}

CostedSpace cost_promising(const Program& program, const Graph& graph, const Library& library, const Device& device,
                           const Problem& problem, FusionSpace space, const CostOptions& options,
                           std::map<NodeId, double> loop_ns, const Strategy& strategy) {
    const std::size_t fusions = space.fusions.size();
    Costing costing(program, graph, library, device, problem, options, std::move(space), std::move(loop_ns), fusions);
    const Promise promise = rank(program, graph, library, device, problem, costing.so_far());
    std::vector<FusionId> chosen;
    std::string remark;
    bool whole = true;
    std::size_t priced = 0;
    for (std::size_t batch = first_batch; priced < promise.order.size(); batch = priced) {
        const std::size_t end = std::min(promise.order.size(), priced + batch);
        for (; priced < end; ++priced) costing.price(promise.order[priced]);
        const auto best = strategy.select(graph, costing.so_far(), 1);
        if (best.empty()) continue;
        chosen.clear();
        for (const std::size_t c : best.front().candidates) chosen.push_back(costing.so_far().candidates[c].fusion);
        if (priced == promise.order.size()) break;
        const double others = promise.at_least[priced] * (1 + rounding);
        if (others >= best.front().time_ns * (options.keep > 1 ? slower_too : 1)) {
            remark = fmt::format("{} of {} fusions cannot be in a {}", fusions - priced, fusions,
                                 options.keep > 1 ? "selection within 10 % of the best" : "better selection");
            break;
        }
        if (costing.so_far().evaluated >= options.max_evaluations) {
            remark = fmt::format("{} of {} fusions are left out: ", fusions - priced, fusions);
            whole = others >= best.front().time_ns;
            remark += whole ? "they cannot be in a better selection, but in one of the next best"
                            : fmt::format("no selection with one of them is faster by more than {:.1f} %",
                                          100 * (1 - others / best.front().time_ns));
            break;
        }
    }
    // What was chosen by a few choices each now has more to choose from.
    if (!chosen.empty()) costing.price_again(chosen, options.max_evaluations / (2 * chosen.size()));
    CostedSpace costed = costing.finish(remark);
    costed.space.whole = costed.space.whole && whole;
    return costed;
}

}  // namespace kasc
