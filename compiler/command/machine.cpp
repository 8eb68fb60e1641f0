#include "command/machine.hpp"

#include "runtime/build.hpp"
#include "runtime/gpu.hpp"
#include "runtime/host.hpp"

namespace kasc::command {

namespace {

std::string device_of_gpu(const std::string& gpu) {
    for (const auto& [part, device] : {std::pair{"H200", "h200"}, {"H100", "h100"}, {"A100", "a100"}}) {
        if (gpu.find(part) != std::string::npos) return device;
    }
    return "h100";
}

}  // namespace

Diagnostic call_fault(const char* code, std::string message, std::string help) {
    Diagnostic d;
    d.code = code;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

Outcome<Machine> choose_machine(const std::string& target) {
    const auto gpu = target == "cpu" ? std::nullopt : runtime::find_gpu();
    const bool nvcc = gpu && !runtime::find_compiler(runtime::BuildTarget::cuda).empty();
    if (gpu && nvcc)
        return success(Machine{emit::Target::cuda, device_of_gpu(gpu->name), gpu->compute_capability, gpu->name,
                               gpu->driver_version});
    if (target == "cuda") {
        return failure<Machine>(
            gpu ? call_fault("K0801", "no CUDA compiler found", "install the CUDA toolkit, or set CUDACXX to its nvcc")
                : call_fault("K0805", "no GPU found", "run with --target cpu"));
    }
    Machine host;
    host.name = runtime::cpu_name();
    return success(std::move(host));
}

}  // namespace kasc::command
