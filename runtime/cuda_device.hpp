#pragma once
// A GPU that computes, through CUDA's driver: neither kasc nor the machine needs a toolkit for it, but for programs
// with transforms, which need cuFFT's library.

#include <functional>
#include <memory>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/compute_device.hpp"

namespace kasc::runtime {

struct CudaCode {
    std::string kernels;  ///< a device's own code (compile_cuda)
    /// Of functions that transforms compute as they store, for cuFFT's linker: made for these extents when it is asked
    /// for. Empty, or it gives an empty text: kernels behind the transforms compute them.
    std::function<std::string()> stored;
};

/// The first GPU. K0812 the driver refuses.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cuda_device(CudaCode code);

}  // namespace kasc::runtime
