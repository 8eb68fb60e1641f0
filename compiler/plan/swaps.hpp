#pragma once
// Arrays that change places at the end of an iteration.

#include <numeric>
#include <utility>
#include <vector>

#include "plan/host_plan.hpp"

namespace kasc {

/// The slot that, once the swaps are done one after the other, has the array that `slot` had before.
[[nodiscard]] inline SlotId after_swaps(SlotId slot, const std::vector<std::pair<SlotId, SlotId>>& swaps) {
    for (const auto& [a, b] : swaps) slot = slot == a ? b : slot == b ? a : slot;
    return slot;
}

/// After so many turns of the swaps every array is back in its place.
[[nodiscard]] inline std::size_t turns_of(const std::vector<std::pair<SlotId, SlotId>>& swaps) {
    std::size_t turns = 1;
    for (const auto& [first, second] : swaps) {
        for (const SlotId slot : {first, second}) {
            std::size_t own = 1;
            for (SlotId at = after_swaps(slot, swaps); at != slot; at = after_swaps(at, swaps)) ++own;
            turns = std::lcm(turns, own);
        }
    }
    return turns;
}

}  // namespace kasc
