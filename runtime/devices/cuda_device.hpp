#pragma once
// A GPU that computes, through CUDA's driver: neither kasc nor the machine needs a toolkit for it, but for programs
// with transforms, which need cuFFT's library.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::runtime {

struct CudaCode {
    std::vector<std::string> kernels;  ///< a device's own code (compile_cuda), by unit
    /// The code, for cuFFT's linker, of functions that transforms compute as they store: made for these extents when it
    /// is asked for. Empty, or it gives an empty text: kernels behind the transforms compute them.
    std::function<std::string()> stored;
};

/// Memory of the GPU for devices of which one computes at a time: what one leaves there another may overwrite. It is
/// held until the process ends.
class SharedBlocks {
public:
    struct Block {
        std::byte* address;
        std::uint64_t bytes;
    };
    /// The smallest that holds so much and is not among `taken`; null: there is none.
    [[nodiscard]] std::byte* find(std::uint64_t bytes, const std::vector<std::byte*>& taken) const;
    void add(const Block& block) { blocks_.push_back(block); }

private:
    std::vector<Block> blocks_;
};

/// The first GPU. `shared`: what it takes its arrays from; null: they are its own. `stream`: a CUstream of the caller,
/// in which all is done: what is asked for there follows what the caller asked for before, nothing waits for the end of
/// it, and no time is taken; null: one of the device's own. K0812 the driver refuses.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cuda_device(CudaCode code,
                                                                       std::shared_ptr<SharedBlocks> shared = nullptr,
                                                                       void* stream = nullptr);

}  // namespace kasc::runtime
