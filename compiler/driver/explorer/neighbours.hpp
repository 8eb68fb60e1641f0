#pragma once
// Kernels that hand values to each other or read the same ones, and why they are not one kernel.

#include <string>
#include <vector>

#include "driver/explorer/plan_view.hpp"

namespace kasc::explorer {

struct KernelPair {
    std::size_t first = 0, second = 0;  ///< kernels, as they are launched
    std::vector<std::string> values;    ///< that go from one to the other; none: both read `shared`
    std::vector<std::string> shared;
    std::string reason;
};
/// Pairs of kernels of one graph; those that hand values on before those that only read the same ones.
[[nodiscard]] std::vector<KernelPair> neighbours_of(const Compilation& compilation, const PlanView& view,
                                                    std::size_t graph);

}  // namespace kasc::explorer
