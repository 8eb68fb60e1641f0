#pragma once
// Several GPUs of one host that compute as one device: ranks are GPUs in the driver's order, memory is one
// (rank_memory.hpp). Lanes are streams, marks are events.

#include <memory>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/devices/cuda_device.hpp"

namespace kasc::runtime {

/// `code`: of all ranks. `units`: what code.kernels was loaded of, kernels whose blocks are shared (emit::Blocks).
/// K0812 the driver refuses.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cuda_ranks(CudaCode code,
                                                                      const std::vector<std::string>& units, int ranks);

}  // namespace kasc::runtime
