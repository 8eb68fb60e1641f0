#pragma once
// Finds the cells that the blocks of a kernel touch along its outermost axis, for whoever shares blocks out
// (kernel::BlockSpan).

#include <functional>

#include "kernel/kernel.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

/// Arrays by where the calls of plans touch them, along an axis of the plans.
struct TouchedArrays {
    /// At their own coordinate along it, or some cells beside that, and nowhere else; `around`: those that go round
    /// from one end to the other.
    std::vector<ValueId> near, around;
    std::vector<ValueId> by_part;     ///< stored at the part that is folded, and not read
    std::vector<ValueId> at_first;    ///< stored at cell 0 of the axis, which the calls lack, and not read
    std::vector<PlacedArray> placed;  ///< among all of them
    std::vector<ListedArray> listed;  ///< at computed places along their last axis, and nowhere else
    bool stored_in_order = true;      ///< what is stored has all axes of the plan in their order, or is of parts
};
/// `axis`: their number of axes where there is none. `array_of`: the value that a value's array is called by.
[[nodiscard]] TouchedArrays touched_arrays(const std::vector<const FieldPlan*>& plans, std::size_t axis,
                                           const Program& program, const Graph& graph,
                                           const std::function<ValueId(ValueId)>& array_of);

/// Sets span and placed arrays of a kernel; `along`: as its walk says.
void set_span(Kernel& kernel, const FieldContext& context, const std::optional<BlocksAlong>& along);

}  // namespace kasc::kernel
