// A block that has stored its part waits until memory has it, and then for the number of blocks that have counted
// themselves: twice the latency of memory, once for the last block. The same of others is hidden by those beside them,
// but keeps a place on the multiprocessor that the next block could have: where there are several rounds of blocks,
// each takes longer by it.
#include "model/field/last_block.hpp"

#include <algorithm>

#include "model/parts.hpp"
#include "schedule/field/walk/fold.hpp"

namespace kasc::model {

namespace {

/// And as much in each further round: on an H200 (2026-11-29) a count costs a step of heat of 256³ cells, three further
/// rounds, 4.2 us more than the launch that it saves, one of conjugate gradients 3.3, a sum of 2²⁸ numbers, 14 further
/// rounds, 9.
constexpr double latencies_of_count = 2;

}  // namespace

Prediction run_as_chosen(Prediction launched, const FieldSchedule& schedule, const Device& device,
                         const Problem& problem) {
    if (schedule.choice.launch == KernelLaunch::own) return launched;
    const Fold* fold = fold_of(*schedule.work);
    const double blocks = fold != nullptr ? static_cast<double>(extent_of(problem, fold->axes.front())) : 1;
    const double at_once = device.multiprocessors * std::max(1, device.max_threads_per_multiprocessor / fold_threads);
    const double rounds = std::max(0.0, blocks / at_once - 1);
    const double count_ns = latencies_of_count * device.memory_latency_ns * (1 + rounds);
    launched.time_ns += count_ns - launched.launch_ns;
    launched.launch_ns = count_ns;
    return launched;
}

}  // namespace kasc::model
