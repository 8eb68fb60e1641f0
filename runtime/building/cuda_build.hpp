#pragma once
// Kernels of a GPU under way: NVRTC works in a child process while this one goes on, so that a fault of it ends the
// child alone and no thread stands in the way of other children.

#include <memory>
#include <optional>

#include "runtime/building/cache.hpp"
#include "runtime/building/cuda_compiler.hpp"
#include "runtime/processes/child.hpp"
#include "runtime/processes/process.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

class CudaBuild {
public:
    /// `title`: the program's name, for the cache, where it may be found. `watch`: its limit, within NVRTC's own of 20
    /// minutes, and its stop are heeded.
    [[nodiscard]] static CudaBuild start(const std::string& title, CudaSource source, BuildCache cache,
                                         ProcessWatch watch = {});

    /// NVRTC works for it.
    [[nodiscard]] bool under_way() const { return child_.has_value(); }
    /// The device's code. K0801, K0802, K0807 NVRTC takes longer than the watch allows. Once.
    [[nodiscard]] Outcome<std::string> finish();
    /// What NVRTC took, once it is finished; 0: the code was in the cache.
    [[nodiscard]] double compiler_seconds() const;

private:
    CudaBuild(CudaSource source, BuildCache cache, ProcessWatch watch)
        : source_(std::move(source)), cache_(std::move(cache)), watch_(std::move(watch)) {}
    [[nodiscard]] Outcome<std::string> compiled();

    CudaSource source_;
    BuildCache cache_;
    ProcessWatch watch_;
    std::optional<BuildKey> key_;       ///< none: there is no cache
    std::optional<std::string> found_;  ///< in it
    std::shared_ptr<SharedMemory> answer_;
    std::optional<Child> child_;
};

}  // namespace kasc::runtime
