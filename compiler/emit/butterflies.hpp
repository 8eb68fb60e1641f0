#pragma once

#include "plan/host_plan.hpp"

namespace kasc::emit {

/// Some kernel transforms few numbers in registers: it needs kasc_butterflies.hpp.
[[nodiscard]] bool has_butterflies(const HostPlan& plan);

}  // namespace kasc::emit
