#pragma once
// Arrays that change places at the end of an iteration.

#include <utility>
#include <vector>

#include "plan/host_plan.hpp"

namespace kasc {

/// The slot that, once the swaps are done one after the other, has the array that `slot` had before.
[[nodiscard]] inline SlotId after_swaps(SlotId slot, const std::vector<std::pair<SlotId, SlotId>>& swaps) {
    for (const auto& [a, b] : swaps) slot = slot == a ? b : slot == b ? a : slot;
    return slot;
}

}  // namespace kasc
