#pragma once
// Loops of a run. Internal to this folder.

#include <algorithm>
#include <optional>
#include <vector>

#include "execute/numbers.hpp"
#include "plan/host_plan.hpp"

namespace kasc::execute {

struct OutermostLoop {
    const LoopStep* several;  ///< iterations at a time, where there is room for them; null: there is no such step
    const LoopStep* step;
    std::ptrdiff_t place;  ///< among the plan's steps, of the first of the two
    long long from, to;
};

/// The loop around a step, and the iteration with which it began in this piece: in the second or a later one riders of
/// the former iteration have something to do.
struct Around {
    long long begun = 0;
    std::optional<LoopId> loop;
};

/// Outermost loops of steps [first, last) of the plan, which outlives them.
[[nodiscard]] inline std::vector<OutermostLoop> outermost_loops(const HostPlan& plan, std::ptrdiff_t first,
                                                                std::ptrdiff_t last, const Program& program,
                                                                const Numbers& numbers) {
    std::vector<OutermostLoop> loops;
    for (auto at = plan.steps.begin() + first; at != plan.steps.begin() + last; ++at) {
        const auto* loop = std::get_if<LoopStep>(&at->what);
        if (loop == nullptr) continue;
        const long long from = numbers.integer(*loop->from);
        const auto place = at - plan.steps.begin();
        const LoopStep* several = rest_of(*at, program) ? loop : nullptr;
        if (several != nullptr) loop = &std::get<LoopStep>((++at)->what);
        loops.push_back({several, loop, place, from, std::max(from, numbers.integer(*loop->to))});
    }
    return loops;
}

}  // namespace kasc::execute
