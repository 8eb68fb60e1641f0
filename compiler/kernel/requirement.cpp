#include "kernel/kernel.hpp"

namespace kasc::kernel {

bool Kernel::Requirement::holds(const std::vector<long long>& extents) const {
    long long product = 1;
    for (const AxisId axis : axes) product *= extents.at(axis.index);
    return extents.at(axes.front().index) % multiple == 0 && (!most || product <= *most);
}

}  // namespace kasc::kernel
