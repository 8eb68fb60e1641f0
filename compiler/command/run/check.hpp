#pragma once
// A run's results beside those of the unfused program on the CPU.

#include "command/run/bound.hpp"
#include "runtime/runs/outputs.hpp"

namespace kasc::command {

/// Requires: the library holds the reference, and all arrays are whole. K0813, and those of running it.
[[nodiscard]] Diagnostics check_against_reference(const Compilation& compilation, const RunBinding& bound,
                                                  const runtime::Outputs& outputs, const std::string& library,
                                                  emit::Target target);

}  // namespace kasc::command
