#pragma once
// Small kernels of a loop ride on launches that follow them. A recording of 64 probes takes a launch of its own, 3 us
// on an H100, for a few hundred bytes; the next kernel over the grid takes it along for nothing.

#include <map>
#include <memory>
#include <vector>

#include "lower/rider.hpp"
#include "plan/host_plan.hpp"
#include "schedule/field/alternatives.hpp"

namespace kasc {

/// What a kernel of the plan was lowered from.
struct LoweredFrom {
    std::shared_ptr<const FieldAlternatives> schedules{};  ///< null: streams
    const Graph* graph = nullptr;
    std::map<ValueId, ValueId> overwritten;
    double time_ns = 0;  ///< predicted
    std::vector<kernel::Rider> riders{};
    std::vector<kernel::Rider> completed{};  ///< by its last block
};

/// Takes small kernels out of the loop's body and into launches of it, which are lowered again; those that ride in the
/// next iteration are launched by themselves after the last one. Says of each small kernel what became of it. Requires:
/// the loop's body, swaps included, is complete. `iterations`: of the loop, estimated. `from`: by kernel of the plan.
void let_ride(LoopStep& loop, double iterations, HostPlan& plan, std::vector<LoweredFrom>& from,
              const Program& program);

}  // namespace kasc
