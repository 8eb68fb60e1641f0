#pragma once
// The built program run to its end, or to where it is stopped: windows, checkpoints, progress.

#include "command/options.hpp"
#include "command/run_bound.hpp"
#include "runtime/long_run.hpp"
#include "runtime/outputs.hpp"
#include "runtime/piecewise_run.hpp"
#include "runtime/progress_report.hpp"

namespace kasc::command {

struct ComputeRequest {
    const RunOptions& options;
    const Compilation& compilation;
    const RunBinding& bound;
    std::optional<runtime::Checkpoint> restart;
    std::string library;
    runtime::Interval every;                      ///< between checkpoints
    bool stop_at_checkpoint = false;              ///< the first of them ends the run
    std::optional<runtime::ReportForm> report{};  ///< progress as lines on standard output, in place of the display
};

struct ComputeEnd {
    long long done = 0, total = 0;
    bool suspended = false;  ///< by its checkpoint, before the end
    double seconds = 0, kernel_seconds = 0;
};

/// The outputs are complete unless it was suspended. Errors are those of the run, K0814 where it was stopped; a warning
/// K0748 of results that are not finite.
[[nodiscard]] Outcome<ComputeEnd> compute(ComputeRequest request, runtime::Outputs& outputs);

}  // namespace kasc::command
