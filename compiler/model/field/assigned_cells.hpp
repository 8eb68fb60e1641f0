#pragma once
// How many cells of a grid a kernel assigns that leaves others as they were, by a condition on coordinates.

#include "model/prediction.hpp"
#include "schedule/field/work.hpp"

namespace kasc::model {

/// Parts of the cells along the kernel's axes, on average over the problem's runs; half of an
/// axis along which nobody knows a bound.
struct AssignedCells {
    double share = 1;    ///< in boxes whose bounds are known; all, where some call assigns others
    double visited = 1;  ///< of which threads are launched (FieldWork::visited)
};
[[nodiscard]] AssignedCells assigned_cells(const FieldWork& work, const Problem& problem);

}  // namespace kasc::model
