#pragma once
// Loops of a run. Internal to this folder.

#include <algorithm>
#include <optional>
#include <vector>

#include "execute/numbers.hpp"
#include "execute/slots.hpp"
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

/// Whether some iterations have other conditions than several have: those are done one by one, and then several at a
/// time again.
[[nodiscard]] inline bool takes_turns(const OutermostLoop& range, const Program& program) {
    return range.several != nullptr && program.loops[range.several->loop].plain != nullptr;
}

/// Whether several iterations may be done at a time from where the loop stands: so many are left to do, windows hold
/// all their rows, and their conditions are those of several. Requires: the loop has several.
[[nodiscard]] inline bool has_room(const OutermostLoop& range, long long left, const Program& program,
                                   const Numbers& numbers, const Slots& slots) {
    const LoopId single = range.step->loop;
    const Loop& several = program.loops[range.several->loop];
    const long long i = numbers.loop(single);
    const auto holds = [&](const auto& window) {
        return !window || window->series.loop != single ||
               (window->holds(i + window->series.low) && window->holds(i + several.by - 1 + window->series.high));
    };
    return range.to - i >= several.by && left >= several.by &&
           std::all_of(slots.windows().begin(), slots.windows().end(), holds) &&
           (several.plain == nullptr || numbers.integer(*several.plain) != 0);
}

}  // namespace kasc::execute
