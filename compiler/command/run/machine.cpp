#include "command/run/machine.hpp"

#include <fmt/format.h>

#include "runtime/processes/agreed.hpp"

namespace kasc::command {

namespace {

Outcome<Machine> machine_here(const RunOptions& options, runtime::Communicator* processes) {
    auto machine = choose_machine(options.target, GpuCompiler::nvrtc);
    if (!machine) return machine;
    const auto sharing = options.share == "always" ? ranks::Sharing::always : ranks::Sharing::priced;
    if (processes != nullptr) {
        machine = with_processes(std::move(*machine.value), *processes, sharing);
    } else if (options.ranks > 1) {
        if (machine->target != emit::Target::cuda)
            return failure<Machine>(
                flag_fault("K0917", "--ranks shares a run among GPUs, and this one is on the CPU",
                           {{{"--ranks"},
                             fmt::format("start {} processes, with mpirun -n {}, or leave {{}} out: its "
                                         "threads share the work as it is",
                                         options.ranks, options.ranks)}}));
        machine = with_ranks(std::move(*machine.value), options.ranks, sharing);
    }
    // Checking mode is there to check what a GPU would run.
    if (machine && options.check && machine->target == emit::Target::cpu)
        machine.value = {emit::Target::cpu_checking, "h100", 0, "CPU in checking mode", ""};
    return machine;
}

}  // namespace

Outcome<Machine> run_machine(const RunOptions& options, runtime::Communicator* processes) {
    auto machine = machine_here(options, processes);
    Diagnostics bad = runtime::agreed(processes, machine.diagnostics, "K0817");
    if (bad.empty()) bad = check_alike(*machine.value);
    return bad.empty() ? std::move(machine) : failure<Machine>(std::move(bad));
}

}  // namespace kasc::command
