#pragma once
// A CPU that computes: kernels of a shared library (emit_module of the CPU), in this process.

#include <memory>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::runtime {

/// `library`: a path; what is there is run. K0804.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cpu_device(const std::string& library);

}  // namespace kasc::runtime
