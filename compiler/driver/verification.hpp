#pragma once
// Proofs and rules that every plan is held to before anything of it is emitted. A fault is kasc's own, never the
// program's.

#include "plan/host_plan.hpp"

namespace kasc {

/// K0603: a schedule of streams that is not proved free of races.
[[nodiscard]] Diagnostics verify_schedules(const Program& program, const PlannedGraph& planned);
/// K0604: a kernel breaks a rule of the kernel IR; K0603: its shared memory is not proved free of races.
[[nodiscard]] Diagnostics verify_kernels(const HostPlan& plan);

}  // namespace kasc
