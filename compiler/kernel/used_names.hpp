#pragma once
// What a kernel names and never looks at.

#include "kernel/kernel.hpp"

namespace kasc::kernel {

/// The body without the constants (Let) that nothing behind them reads: who writes a part of a kernel names the places
/// that others may ask for.
[[nodiscard]] Body without_unused(Body body);

}  // namespace kasc::kernel
