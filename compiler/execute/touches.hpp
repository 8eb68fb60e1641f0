#pragma once
// Which bytes of which arrays the blocks of a launch touch, by what its kernel says of its blocks (kernel::BlockSpan).
// Internal to this folder.

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "execute/numbers.hpp"
#include "plan/host_plan.hpp"
#include "ranks/order.hpp"
#include "ranks/shares.hpp"

namespace kasc::execute {

class ListedPlanes;

/// An array as ranks know it. Byte 0 of the slot lies `first` bytes behind where the array begins: before it where the
/// array is a window on a series.
struct SlotBytes {
    std::byte* array = nullptr;
    std::int64_t first = 0, bytes = 0;
    std::int64_t held = 0;  ///< bytes of the array that lie in memory

    [[nodiscard]] ranks::Touch whole(bool writes) const {
        return {array, writes, std::max(std::int64_t{0}, first), std::min(held, first + bytes)};
    }
};

/// The kernel's span with the numbers of a run; none: it has none.
[[nodiscard]] std::optional<ranks::SpanNumbers> span_numbers(const kernel::Kernel& kernel, const Numbers& numbers);

/// Bytes from one place of the outermost axis to the next, of an array that has so many in all.
[[nodiscard]] std::int64_t bytes_of_plane(const Program& program, const Numbers& numbers, VariableId variable,
                                          std::int64_t bytes);
/// Places of the outermost axis of a variable's arrays: elements of streams, 1 of a single number.
[[nodiscard]] long long planes_of(const Program& program, const Numbers& numbers, VariableId variable);

struct TouchedLaunch {
    const Program& program;
    const Numbers& numbers;  ///< as the loops stand
    const HostPlan& plan;
    const kernel::Kernel& kernel;
    const LaunchStep& step;
    std::function<SlotBytes(SlotId)> bytes_of;
    const ListedPlanes* lists = nullptr;  ///< the launch is divided by them
    bool used = false;                    ///< not what is read and nothing comes of
};
/// What these blocks touch, by the kernel's arrays in order; without a share: what any block may.
[[nodiscard]] std::vector<ranks::Touch> touches(const TouchedLaunch& launch, const ranks::GridShare* share);

}  // namespace kasc::execute
