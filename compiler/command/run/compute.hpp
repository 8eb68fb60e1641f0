#pragma once
// The built program run to its end, or to where it is stopped: windows, checkpoints, progress.

#include "command/options.hpp"
#include "command/run/bound.hpp"
#include "engine/run_engine.hpp"
#include "runtime/progress/phase_times.hpp"
#include "runtime/progress/report.hpp"
#include "runtime/runs/long_run.hpp"
#include "runtime/runs/outputs.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc::command {

struct ComputeRequest {
    const RunOptions& options;
    const Compilation& compilation;
    const RunBinding& bound;
    std::optional<runtime::Checkpoint> restart;
    const RunEngine& engine;
    runtime::Interval every;                      ///< between checkpoints
    bool stop_at_checkpoint = false;              ///< the first of them ends the run
    std::optional<runtime::ReportForm> report{};  ///< progress as lines on standard output, in place of the display
    long long steps_before = 0;                   ///< steps that are done before the first iteration, and count
};

struct ComputeEnd {
    long long done = 0, total = 0;
    bool suspended = false;               ///< before the end, by a checkpoint that the outputs' file stands beside
    std::optional<Diagnostic> stopped{};  ///< K0814: on request
    double seconds = 0, kernel_seconds = 0;
    std::vector<runtime::NotFinite> not_finite{};  ///< in rows that were written
};

/// `times` goes from preparing to computing. The outputs are complete unless it was suspended or stopped. Errors are
/// those of the run.
[[nodiscard]] Outcome<ComputeEnd> compute(ComputeRequest request, runtime::Outputs& outputs,
                                          runtime::PhaseTimes& times);

}  // namespace kasc::command
