#include "engine/machine.hpp"

#include <fmt/format.h>

#include "runtime/building/build.hpp"
#include "runtime/building/cuda_compiler.hpp"
#include "runtime/devices/gpu.hpp"
#include "runtime/devices/rank_memory.hpp"
#include "runtime/processes/host.hpp"

namespace kasc {

namespace {

std::string device_of_gpu(const std::string& gpu) {
    for (const auto& [part, device] : {std::pair{"H200", "h200"}, {"H100", "h100"}, {"A100", "a100"}}) {
        if (gpu.find(part) != std::string::npos) return device;
    }
    return "h100";
}

}  // namespace

Outcome<Machine> choose_machine(const std::string& target, GpuCompiler compiler, GpuUser user) {
    const auto gpu = target == "cpu"          ? std::nullopt
                     : user == GpuUser::forks ? runtime::find_gpu_aside()
                                              : runtime::find_gpu();
    const bool nvrtc = compiler == GpuCompiler::nvrtc;
    const bool compiles = gpu && (nvrtc ? !runtime::cuda_compiler_version().empty()
                                        : !runtime::find_compiler(runtime::BuildTarget::cuda).empty());
    if (gpu && compiles)
        return success(Machine{emit::Target::cuda, device_of_gpu(gpu->name), gpu->compute_capability, gpu->name,
                               gpu->driver_version});
    if (target == "cuda") {
        return failure<Machine>(
            gpu ? placeless("K0801", "no CUDA compiler found",
                            nvrtc ? "install the CUDA toolkit, or NVRTC alone: pip install nvidia-cuda-nvrtc"
                                  : "install the CUDA toolkit, or set CUDACXX to its nvcc")
                : placeless("K0805", "no GPU found", "run with --target cpu"));
    }
    Machine host;
    host.name = runtime::cpu_name();
    return success(std::move(host));
}

Outcome<Machine> with_ranks(Machine machine, int ranks, ranks::Sharing sharing) {
    if (ranks > 1) {
        const std::string fault = runtime::ranks_fault(ranks);
        if (!fault.empty())
            return failure<Machine>(placeless("K0808", fmt::format("{} GPUs cannot share the run: {}", ranks, fault),
                                              "ask for fewer with --ranks"));
        machine.name = fmt::format("{} x {}", ranks, machine.name);
    }
    machine.ranks = ranks;
    machine.sharing = sharing;
    return success(std::move(machine));
}

Outcome<Machine> with_processes(Machine machine, runtime::Communicator& processes, ranks::Sharing sharing) {
    if (machine.target != emit::Target::cpu)
        return failure<Machine>(placeless("K0917", "processes share a run on CPUs, and this machine has a GPU",
                                          "ask for the CPUs with --target cpu, or start it alone, with --ranks"));
    machine.name = fmt::format("{} processes, rank 0 on {}", processes.ranks(), machine.name);
    machine.ranks = processes.ranks();
    machine.processes = &processes;
    machine.sharing = sharing;
    return success(std::move(machine));
}

}  // namespace kasc
