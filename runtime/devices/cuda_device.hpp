#pragma once
// A GPU that computes, through CUDA's driver: neither kasc nor the machine needs a toolkit for it, but for programs
// with transforms, which need cuFFT's library.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/devices/compute_device.hpp"
#include "runtime/devices/gpu_context.hpp"

namespace kasc::runtime {

/// A program's kernels on the GPU, for any number of devices: to load them takes as long as many launches.
class LoadedKernels {
public:
    /// `units`: a device's own code (compile_cuda). `number`: of the device.
    explicit LoadedKernels(const std::vector<std::string>& units, int number = 0);
    LoadedKernels(const LoadedKernels&) = delete;
    LoadedKernels& operator=(const LoadedKernels&) = delete;
    ~LoadedKernels();

    [[nodiscard]] const std::string& fault() const { return fault_; }  ///< empty: they are there
    /// A CUfunction; null: there is none of this name.
    [[nodiscard]] void* find(const std::string& name) const;

private:
    GpuContext gpu_;
    std::vector<void*> modules_;
    std::string fault_;
};

struct CudaCode {
    std::shared_ptr<const LoadedKernels> kernels;
    /// The code, for cuFFT's linker, of functions that transforms compute as they store: made for these extents when it
    /// is asked for. Empty, or it gives an empty text: kernels behind the transforms compute them.
    std::function<std::string()> stored;
};

/// Memory of the GPU for devices of which one computes at a time, or all in one stream: what one leaves there another
/// may overwrite.
class SharedBlocks {
public:
    SharedBlocks() = default;
    SharedBlocks(const SharedBlocks&) = delete;
    SharedBlocks& operator=(const SharedBlocks&) = delete;
    ~SharedBlocks();

    struct Block {
        std::byte* address;
        std::uint64_t bytes;
    };
    /// The smallest that holds so much and is not among `taken`; null: there is none.
    [[nodiscard]] std::byte* find(std::uint64_t bytes, const std::vector<std::byte*>& taken) const;
    /// Its own from now on.
    void add(const Block& block);

private:
    std::unique_ptr<const GpuContext> gpu_;  ///< from the first block on: a process that measures is a child
    std::vector<Block> blocks_;
};

/// The GPU of this number, mostly the first. `shared`: what it takes its arrays from; null: they are its own. `stream`:
/// a CUstream of the caller, in which all is done: what is asked for there follows what the caller asked for before,
/// nothing waits for the end of it, and no time is taken; the stream may go before the device does; null: one of the
/// device's own. The context is the calling thread's own from then on. K0812 the driver refuses.
[[nodiscard]] Outcome<std::unique_ptr<ComputeDevice>> open_cuda_device(CudaCode code,
                                                                       std::shared_ptr<SharedBlocks> shared = nullptr,
                                                                       void* stream = nullptr, int number = 0);

/// What is asked for in the stream becomes part of a CUDA graph of the caller's.
[[nodiscard]] bool is_captured(void* stream);

}  // namespace kasc::runtime
