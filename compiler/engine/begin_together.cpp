// A run of several processes is begun: rank 0 sends what windows there are and the code of the kernels, all compare
// their plans, and each says whether it can go on before any waits for another.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/conducted_run.hpp"
#include "engine/run_engine.hpp"
#include "plan/series.hpp"
#include "runtime/devices/cpu_device.hpp"
#include "runtime/files/digest.hpp"

namespace kasc {

namespace {

std::string read_bytes_of(const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

bool write_bytes_to(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bool(file.flush());
}

/// What all must walk alike: blocks with numbers of their own.
std::string told(const HostPlan& plan, const Program& program, const runtime::EntryArguments& arguments, bool blocks) {
    std::string text = fmt::format("{}\n{}", print(plan, program), fmt::join(arguments.extents, " "));
    if (!blocks) text += fmt::format("\n{:a}", fmt::join(arguments.parameters, " "));
    return runtime::digest_text(text.data(), text.size());
}

/// The first of the ranks that cannot go on, with what it says; none: all can.
std::optional<Diagnostic> cannot_begin(runtime::Communicator& processes, const std::string& own) {
    const std::vector<std::string> faults = gather_texts(processes, own);
    const auto is_own = [](const std::string& f) { return !f.empty() && !f.ends_with(execute::others_failed); };
    const auto bad = std::find_if(faults.begin(), faults.end(), is_own);
    if (bad == faults.end()) return std::nullopt;
    return placeless("K0817",
                     fmt::format("rank {} of {} cannot begin: {}", bad - faults.begin(), processes.ranks(), *bad), "");
}

}  // namespace

execute::ProcessArrays RunEngine::process_arrays(const runtime::EntryArguments& arguments) const {
    return execute::process_arrays(compilation_->program, compilation_->library, walked_->plan, arguments,
                                   divided_among(*machine_));
}

/// NCCL starts beside the building of kernels and the reading of files, of which a part of a second is left to wait
/// for. Where a run sends so little that it takes less through the host's memory, it does not start.
void RunEngine::start_messages(const EngineRequest& wanted) {
    constexpr double seconds_an_exchange = 1e-4, bytes_a_second = 1e9;  // through the host: two H100s, Open MPI 4.1
    constexpr double seconds_of_start = 0.25;
    const execute::ExpectedExchanges expected =
        execute::expected_exchanges(compilation_->program, compilation_->library,
                                    *compilation_->plans.at(wanted.plan).host, wanted.sizes, divided_among(*machine_));
    const double through_host = expected.count * seconds_an_exchange + expected.bytes / bytes_a_second;
    std::vector<std::pair<int, int>> pairs;
    if (through_host > seconds_of_start || machine_->sharing == ranks::Sharing::always)
        pairs.assign(expected.pairs.begin(), expected.pairs.end());
    nccl_ = runtime::NcclStart::begin(*machine_->processes, machine_->gpu, std::move(pairs));
}

Outcome<std::unique_ptr<runtime::ComputeDevice>> RunEngine::open_together(
    const runtime::EntryArguments& arguments) const {
    runtime::Communicator& processes = *machine_->processes;
    const bool cuda = machine_->target == emit::Target::cuda, leads = machine_->leads();
    std::vector<std::string> code;
    if (leads) code = cuda ? code_ : std::vector<std::string>{read_bytes_of(library_)};
    std::uint64_t units = code.size();
    processes.broadcast(&units, sizeof(units));
    code.resize(units);
    for (std::string& unit : code) unit = broadcast_text(processes, std::move(unit));
    if (cuda) return open_gpu(code, arguments, nccl_ ? nccl_->finish(processes) : nullptr);
    const std::string library = leads ? library_ : (scratch_ / "kernels.so").string();
    if (!leads && !write_bytes_to(library, code.front()))
        return failure<std::unique_ptr<runtime::ComputeDevice>>(placeless("K0804", "it cannot write " + library));
    return runtime::open_cpu_device(library);
}

Outcome<std::unique_ptr<runtime::PiecewiseRun>> RunEngine::begin_together(
    const runtime::EntryArguments& arguments) const {
    using Begun = std::unique_ptr<runtime::PiecewiseRun>;
    runtime::Communicator& processes = *machine_->processes;
    const Program& program = compilation_->program;
    runtime::EntryArguments own = arguments;
    own.rows.resize(series_of(program).size(), 0);
    processes.broadcast(own.rows.data(), own.rows.size() * sizeof(own.rows[0]));
    auto device = open_together(own);
    std::string fault = device ? "" : device.diagnostics.front().message;
    const std::string plan = told(walked_->plan, program, own, block_ != nullptr);
    if (broadcast_text(processes, plan) != plan)
        fault = "it has another plan: kasc, its files or the program are not the same there";
    if (const auto bad = cannot_begin(processes, fault)) return failure<Begun>(*bad);
    execute::PlanRunRequest request{program, compilation_->library, walked_->plan, own, std::move(*device.value)};
    request.sharing = machine_->sharing;
    request.processor = divided_among(*machine_).processor;
    request.block = block_;
    if (block_ == nullptr) request.processes = &processes;
    auto run = execute::begin_plan(std::move(request));
    if (const auto bad = cannot_begin(processes, run ? "" : run.diagnostics.front().message)) {
        // What all say alike is rank 0's to say.
        return failure<Begun>(run || run.diagnostics.front().message.ends_with(execute::others_failed)
                                  ? Diagnostics{*bad}
                                  : std::move(run.diagnostics));
    }
    Begun begun = std::move(*run.value);
    return success(machine_->leads() ? conduct(std::move(begun), processes) : std::move(begun));
}

}  // namespace kasc
