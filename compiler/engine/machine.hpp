#pragma once
// What emitted code will run on.

#include "emit/target.hpp"
#include "foundation/outcome.hpp"

namespace kasc {

struct Machine {
    emit::Target target = emit::Target::cpu;
    std::string device = "cpu";  ///< whose plan is made
    int compute_capability = 0;
    std::string name = "CPU";  ///< the GPU's or the processor's own
    std::string driver;        ///< its version; empty for a CPU
};

/// What compiles for a GPU: a library that comes with CUDA's toolkit and by itself, or the toolkit's command.
enum class GpuCompiler { nvrtc, nvcc };

/// Which process uses the GPU: this one, or forks of it (find_gpu_aside).
enum class GpuUser { this_process, forks };

/// `target` is auto, cuda or cpu: auto takes a GPU where there is one, and that compiler. K0801, K0805.
[[nodiscard]] Outcome<Machine> choose_machine(const std::string& target, GpuCompiler compiler,
                                              GpuUser user = GpuUser::this_process);

}  // namespace kasc
