#pragma once
// A CPU that computes: kernels of a shared library (emit_module of the CPU), in this process.

#include <memory>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::runtime {

/// `library`: a path; what is there is run. `copies`: arrays of the host are brought to arrays of its own, and results
/// back, as on a GPU. K0804.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cpu_device(const std::string& library, bool copies = false);

}  // namespace kasc::runtime
