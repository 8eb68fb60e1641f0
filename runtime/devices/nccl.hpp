#pragma once
// Messages between the GPUs of processes, by NCCL, which is found when it is needed: over NVLink or a network, in a
// stream like kernels, without the host's memory.

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/devices/gpu_context.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

class Nccl {
public:
    Nccl(const Nccl&) = delete;
    Nccl& operator=(const Nccl&) = delete;
    /// Requires: nothing is under way.
    ~Nccl();

    /// As Communicator::exchange(), of bytes in the GPU's memory, in a CUDA stream. What is wrong; empty: nothing.
    [[nodiscard]] std::string exchange(const std::vector<Message>& messages, void* stream);

private:
    friend class NcclStart;
    struct Library;
    explicit Nccl(int device) : gpu_(device) {}
    const GpuContext gpu_;
    std::shared_ptr<const Library> library_;
    void* communicator_ = nullptr;
};

/// NCCL while it starts, which takes a second, and as long again to send the first bytes: both are done in a thread of
/// its own, beside what the process does until it computes.
class NcclStart {
public:
    /// By all processes, each with the number of its GPU and the pairs of ranks that will send each other bytes. Null
    /// on all of them: there are no pairs, NCCL is missing somewhere, or two share a GPU.
    [[nodiscard]] static std::unique_ptr<NcclStart> begin(Communicator& processes, int device,
                                                          std::vector<std::pair<int, int>> pairs);
    /// By all processes. Null on all of them: it does not start somewhere.
    [[nodiscard]] std::unique_ptr<Nccl> finish(Communicator& processes);

private:
    std::future<std::unique_ptr<Nccl>> started_;  ///< waited for as it goes
};

}  // namespace kasc::runtime
