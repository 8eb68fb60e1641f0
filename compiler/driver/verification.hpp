#pragma once
// Rules and checks that every plan is held to before anything of it is emitted. A fault is kasc's own, never the
// program's.

#include "plan/host_plan.hpp"

namespace kasc {

/// K0604: a kernel breaks a rule of the kernel IR; K0603: the check of its use of shared memory finds something.
[[nodiscard]] Diagnostics verify_kernels(const HostPlan& plan);

}  // namespace kasc
