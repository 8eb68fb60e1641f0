#include <algorithm>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

bool Kernel::Requirement::holds(const std::vector<long long>& extents) const {
    const auto product = [&](const std::vector<AxisId>& of) {
        long long all = 1;
        for (const AxisId axis : of) all *= extents.at(axis.index);
        return all;
    };
    return extents.at(axes.front().index) % multiple == 0 && (!most || product(axes) <= *most) &&
           std::all_of(others.begin(), others.end(),
                       [&](const Product& other) { return product(other.axes) <= other.most; });
}

}  // namespace kasc::kernel
