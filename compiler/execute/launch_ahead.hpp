#pragma once
// A loop that runs ahead of its condition (plan/run_ahead.hpp). Internal to this folder.

#include <algorithm>

#include "execute/numbers.hpp"
#include "execute/slots.hpp"
#include "plan/run_ahead.hpp"

namespace kasc::execute {

struct LoopAhead {
    const LoopStep& loop;
    long long from, to;  ///< its bounds
    long long end;       ///< of the iterations that are wanted now
};

[[nodiscard]] inline bool on_grid(const std::vector<kernel::PositionCheck>& positions, const Numbers& numbers) {
    return std::all_of(positions.begin(), positions.end(), [&](const kernel::PositionCheck& check) {
        const long long at = numbers.integer(*check.position);
        return at >= check.low && at < numbers.extent(check.axis) - check.high;
    });
}

/// Goes on where the loop's variable stands, and leaves it at `end`, or at `to` where the loop has ended. `look`: the
/// number of its iterations. `iterate`: launches one, false where the run has failed.
template <class Look, class Iterate>
void launch_ahead(const LoopAhead& of, const HostPlan& plan, Numbers& numbers, Slots& slots, const Look& look,
                  const Iterate& iterate) {
    const auto positions = moving_positions(plan, of.loop);
    long long i = numbers.loop(of.loop.loop);
    for (long long more = 1;; more = std::min<long long>(2 * more, most_ahead)) {
        const long long going = look(), ran = of.from + (going > 0 ? going - 1 : -going);
        for (; i > ran; --i) {
            for (auto swap = of.loop.swaps.rbegin(); swap != of.loop.swaps.rend(); ++swap)
                std::swap(slots.at(swap->first), slots.at(swap->second));
        }
        if (going <= 0) i = of.to;
        numbers.set_loop(of.loop.loop, i);
        if (i >= of.end) return;
        const long long first = i;
        for (const long long last = std::min(of.end, i + more); i < last; ++i) {
            numbers.set_loop(of.loop.loop, i);
            if (i > first && !on_grid(positions, numbers)) break;
            if (!iterate()) return;
        }
    }
}

}  // namespace kasc::execute
