#pragma once
// What emitted code will run on.

#include "emit/target.hpp"
#include "execute/division.hpp"
#include "foundation/outcome.hpp"
#include "ranks/shares.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc {

struct Machine {
    emit::Target target = emit::Target::cpu;
    std::string device = "cpu";  ///< whose plan is made
    int compute_capability = 0;
    std::string name = "CPU";  ///< the GPU's or the processor's own
    std::string driver;        ///< its version; empty for a CPU
    int ranks = 1;             ///< GPUs that share a run, from the first on, or processes
    ranks::Sharing sharing = ranks::Sharing::priced;
    runtime::Communicator* processes = nullptr;  ///< that share a run; null: this one alone
    int gpu = 0;                                 ///< its number, of the first of several, or of this process' own
    int gpus = 1;                                ///< that the driver shows

    [[nodiscard]] bool leads() const { return processes == nullptr || processes->rank() == 0; }
};

/// What compiles for a GPU: a library that comes with CUDA's toolkit and by itself, or the toolkit's command.
enum class GpuCompiler { nvrtc, nvcc };

/// The process that uses the GPU: this one, or forks of it (find_gpu_aside).
enum class GpuUser { this_process, forks };

/// `target` is auto, cuda or cpu: auto takes a GPU where there is one, and that compiler. K0801, K0805.
[[nodiscard]] Outcome<Machine> choose_machine(const std::string& target, GpuCompiler compiler,
                                              GpuUser user = GpuUser::this_process);

/// The same with so many GPUs. K0808 there are not so many, or they cannot share a run. Requires: it is a GPU.
[[nodiscard]] Outcome<Machine> with_ranks(Machine machine, int ranks, ranks::Sharing sharing);

/// The same of each of these processes, on GPUs with one of its machine's GPUs, in turn. K0808 that cannot be. They
/// outlive it.
[[nodiscard]] Outcome<Machine> with_processes(Machine machine, runtime::Communicator& processes,
                                              ranks::Sharing sharing);
/// By all processes: K0917 they do not compute on processors alike.
[[nodiscard]] Diagnostics check_alike(const Machine& machine);

/// How plans are divided there.
[[nodiscard]] execute::DividedAmong divided_among(const Machine& machine);

}  // namespace kasc
