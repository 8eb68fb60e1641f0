#pragma once
// What will compute a compilation's plan, from when it is begun to be made ready. On a GPU: kernels that NVRTC
// compiles, and the plan, which kasc walks through the driver. On a CPU: emitted code, built as a library; of several
// processes rank 0 builds a library of the kernels, the others get it from there, and each walks the plan.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "engine/machine.hpp"
#include "execute/plan_run.hpp"
#include "runtime/building/build.hpp"
#include "runtime/building/cuda_build.hpp"
#include "runtime/devices/cuda_device.hpp"
#include "runtime/devices/nccl.hpp"
#include "runtime/progress/phase_times.hpp"
#include "runtime/runs/entry_library.hpp"
#include "runtime/runs/measure.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc {

struct EngineRequest {
    std::filesystem::path scratch;  ///< a folder of the run's own
    std::filesystem::path keep;     ///< where the emitted files stay; empty: nowhere
    bool with_reference = false;    ///< the unfused program as well
    runtime::BuildCache cache{};
    std::size_t plan = 0;                                              ///< of the compilation's
    runtime::ProcessWatch watch{};                                     ///< of its compiler: limit and stop
    runtime::BuildPurpose purpose = runtime::BuildPurpose::long_runs;  ///< of a library
    std::filesystem::path prebuilt{};  ///< where libraries lie that were built with kasc; empty: nowhere
    bool portable = false;             ///< the library is to be one of them
    runtime::EntryArguments sizes{};   ///< of what will run, without arrays: what processes will send each other
    const execute::BlockRun* block = nullptr;  ///< each process has of a grid; null: all of it. It outlives the engine
};

class RunEngine {
public:
    /// The references must outlive the engine. K0602, K0604, K0720, K0721.
    [[nodiscard]] static Outcome<RunEngine> start(const Compilation& compilation, const CompileRequest& request,
                                                  const Machine& machine, EngineRequest wanted,
                                                  runtime::PhaseTimes& times);
    /// Waits until all is ready. K0801 to K0803, K0807.
    [[nodiscard]] Diagnostics finish();
    /// The compilers that work for the engine now.
    [[nodiscard]] std::size_t compilers() const;
    /// Where what computes came from; of a GPU's kernels, the cache where it has them all.
    [[nodiscard]] runtime::BuiltBy built_by() const;
    /// What compilers took, once all is ready; 0 where none was called.
    [[nodiscard]] double compiler_seconds() const;

    /// What each of several processes has of the plan's arrays. The arguments' arrays are left out.
    [[nodiscard]] execute::ProcessArrays process_arrays(const runtime::EntryArguments& arguments) const;
    /// The arrays must outlive the run. Requires: finish() was good, where this process leads. K0804, K0811, K0812. Of
    /// several processes each begins, with what it has of the host's arrays, and rank 0's run conducts those of the
    /// others (conducted_run.hpp); K0817 another cannot begin, or does not walk the same plan.
    [[nodiscard]] Outcome<std::unique_ptr<runtime::PiecewiseRun>> begin(const runtime::EntryArguments& arguments) const;
    /// All of it again and again, for extents as those of `first`, which made it ready. On a GPU runs in no stream of
    /// the caller's have memory of `blocks`; null: of its own. What it is made of outlives it. Requires: finish() was
    /// good.
    [[nodiscard]] Outcome<std::unique_ptr<runtime::RepeatedRun>> repeat(
        const runtime::EntryArguments& first, std::shared_ptr<runtime::SharedBlocks> blocks) const;
    /// The same as a trial, which makes itself ready at its first call.
    [[nodiscard]] runtime::Trial trial(std::shared_ptr<runtime::SharedBlocks> blocks) const;
    /// The library that has <program>_reference_entry, where it was asked for.
    [[nodiscard]] const std::string& reference() const { return library_; }

private:
    struct Made;
    class WalkedRuns;
    RunEngine(const Compilation& compilation, const Machine& machine)
        : compilation_(&compilation), machine_(&machine) {}

    [[nodiscard]] Outcome<std::unique_ptr<execute::WalkedRun>> walk(
        const runtime::EntryArguments& arguments, const std::shared_ptr<Made>& made,
        std::shared_ptr<runtime::SharedBlocks> blocks) const;

    [[nodiscard]] Diagnostics build_kernels(const EngineRequest& wanted);
    [[nodiscard]] Outcome<std::unique_ptr<runtime::PiecewiseRun>> begin_together(
        const runtime::EntryArguments& arguments) const;
    /// By all processes: this one's device, with the kernels that rank 0 has built.
    [[nodiscard]] Outcome<std::unique_ptr<runtime::ComputeDevice>> open_together(
        const runtime::EntryArguments& arguments) const;
    /// This process' own of several.
    [[nodiscard]] Outcome<std::unique_ptr<runtime::ComputeDevice>> open_gpu(const std::vector<std::string>& units,
                                                                            const runtime::EntryArguments& arguments,
                                                                            std::unique_ptr<runtime::Nccl> nccl) const;
    /// By all processes.
    void start_messages(const EngineRequest& wanted);
    [[nodiscard]] runtime::CudaCode cuda_code(const std::shared_ptr<Made>& made,
                                              const std::vector<long long>& extents) const;

    const Compilation* compilation_;
    const Machine* machine_;
    std::filesystem::path scratch_;
    const execute::BlockRun* block_ = nullptr;
    std::optional<runtime::Build> build_;       ///< of a library
    std::string library_;                       ///< its path
    std::optional<WalkedPlan> walked_;          ///< on a GPU, or by several processes
    std::vector<runtime::CudaBuild> kernels_;   ///< by unit
    std::vector<std::string> code_;             ///< of the kernels, by unit
    std::unique_ptr<runtime::NcclStart> nccl_;  ///< of processes on GPUs whose messages go by it
};

}  // namespace kasc
