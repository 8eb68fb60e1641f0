#pragma once
// What kernels of a plan compute around transforms.

#include "plan/planned_graph.hpp"

namespace kasc {

/// Some transform of the library's computes what stands behind it as it stores.
[[nodiscard]] bool some_transform_stores(const PlannedGraph& planned);

/// Some kernel transforms lines.
[[nodiscard]] bool some_kernel_transforms(const PlannedGraph& planned);

/// Calls with roots, quotients or functions in kernels that transform lines, in a run of the program. An H100
/// takes 22.8 ms in place of 17.9 for a step of k-Wave at 512^3 where they make a factor of a root and a sine that they
/// could read, and 17.0 in place of 12.9 for another; the model says that both are alike.
[[nodiscard]] double slow_calls_of_lines(const PlannedGraph& planned);

}  // namespace kasc
