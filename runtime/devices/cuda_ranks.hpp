#pragma once
// Several GPUs of one host that compute as one device: ranks are GPUs in the driver's order, memory is one
// (rank_memory.hpp). Lanes are streams, marks are events.

#include <memory>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/devices/cuda_device.hpp"
#include "runtime/devices/nccl.hpp"

namespace kasc::runtime {

/// `code`: of all ranks. `units`: what code.kernels was loaded of, kernels whose blocks are shared (emit::Blocks).
/// K0812 the driver refuses.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cuda_ranks(CudaCode code,
                                                                      const std::vector<std::string>& units, int ranks);

/// The GPU of this number as the device of one process among several, each with memory of its own: arrays that are cut
/// have memory where the process touches them (ComputeDevice::hold). `code`: kernels as above, loaded on that GPU.
/// `nccl`: what it sends by; null: others send what it has gathered.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cuda_of_process(CudaCode code, int device,
                                                                           std::unique_ptr<Nccl> nccl);

}  // namespace kasc::runtime
