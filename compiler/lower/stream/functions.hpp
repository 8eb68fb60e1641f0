#pragma once
// The library functions that a stream kernel calls, in the variants that it needs.

#include "graph/graph.hpp"
#include "kernel/kernel.hpp"
#include "schedule/stream/schedule.hpp"

namespace kasc::kernel {

/// The function that a step calls, named <author's name>_<BX>_<BY>_<BZ>_<r, s or s and the padding, an argument>, with
/// APLS or APIN0 …, APOUT (the start expression where the argument lies in shared memory, 0 where it lies in registers)
/// and <IMPLEMENTATION>_BX, _BY, _BZ.
[[nodiscard]] FunctionVariant variant_of(const StreamSchedule& schedule, std::size_t step, const Implementation& how);

}  // namespace kasc::kernel
