#pragma once
// Loops that kernels may run, marked (rewrite/inner_loops), as far as a device and lengths allow it.

#include "model/device/device.hpp"
#include "model/prediction.hpp"
#include "rewrite/inner_loops.hpp"

namespace kasc {

/// Loops are in blocks of iterations (rewrite/loop_blocks) where kernels may run these. On a GPU they hand on what
/// several iterations before have made (rewrite/former_words).
[[nodiscard]] InnerLoops marked_loops(const Program& program, const Problem& problem, DeviceKind device);

}  // namespace kasc
