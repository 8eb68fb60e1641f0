#include "engine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    if (gpu && compiles) {
        Machine device{emit::Target::cuda, device_of_gpu(gpu->name), gpu->compute_capability, gpu->name,
                       gpu->driver_version};
        device.gpus = gpu->devices;
        return success(std::move(device));
    }
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
    if (machine.target == emit::Target::cuda) {
        machine.gpu = processes.number_on_this_machine() % machine.gpus;
        const auto gpu = runtime::find_gpu(machine.gpu);
        const std::string fault = gpu ? runtime::pages_fault(machine.gpu) : "it cannot be asked";
        if (!fault.empty())
            return failure<Machine>(placeless(
                "K0808",
                fmt::format("GPU {} cannot share the run with those of other processes: {}", machine.gpu, fault),
                "ask for the CPUs with --target cpu"));
        machine.device = device_of_gpu(gpu->name);
        machine.compute_capability = gpu->compute_capability;
        machine.name = gpu->name;
    }
    machine.name = fmt::format("{} processes, rank 0 on {}", processes.ranks(), machine.name);
    machine.ranks = processes.ranks();
    machine.processes = &processes;
    machine.sharing = sharing;
    return success(std::move(machine));
}

Diagnostics check_alike(const Machine& machine) {
    if (machine.processes == nullptr) return {};
    const bool cuda = machine.target == emit::Target::cuda;
    const int digits = machine.compute_capability;
    const std::vector<std::string> all = gather_texts(
        *machine.processes,
        cuda ? fmt::format("a GPU like {}, of compute capability {}.{}", machine.device, digits / 10, digits % 10)
             : "CPUs");
    const auto other =
        std::find_if(all.begin(), all.end(), [&](const std::string& text) { return text != all.front(); });
    if (other == all.end()) return {};
    return {placeless("K0917",
                      fmt::format("rank {} of {} computes on {}, and rank 0 on {}", other - all.begin(), all.size(),
                                  *other, all.front()),
                      "start processes where GPUs are alike, or ask for the CPUs with --target cpu")};
}

execute::DividedAmong divided_among(const Machine& machine) {
    return {machine.ranks, machine.sharing, machine.processes != nullptr ? ranks::Memory::own : ranks::Memory::one,
            machine.target == emit::Target::cuda ? ranks::Processor::gpu : ranks::Processor::cpu};
}

}  // namespace kasc
