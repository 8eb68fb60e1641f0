#pragma once
// Messages between the GPUs of processes, by NCCL, which is found when it is needed: over NVLink or a network, in a
// stream like kernels, without the host's memory.

#include <memory>
#include <string>
#include <vector>

#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

class Nccl {
public:
    /// By all processes, each in the context of its GPU, of which `gpu` are the bytes that tell it from all others.
    /// Null on all of them: NCCL is missing somewhere, two share a GPU, or it does not start.
    [[nodiscard]] static std::unique_ptr<Nccl> join(Communicator& processes, const std::string& gpu);
    Nccl(const Nccl&) = delete;
    Nccl& operator=(const Nccl&) = delete;
    /// Requires: nothing is under way.
    ~Nccl();

    /// As Communicator::exchange(), of bytes in the GPU's memory, in a CUDA stream. What is wrong; empty: nothing.
    [[nodiscard]] std::string exchange(const std::vector<Message>& messages, void* stream);

private:
    struct Library;
    Nccl() = default;
    std::shared_ptr<const Library> library_;
    void* communicator_ = nullptr;
};

}  // namespace kasc::runtime
