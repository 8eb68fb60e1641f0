#pragma once
// What a command of its own adds to a run: inputs that it has made, checks of the data that a program cannot state, and
// a form for the file of the outputs.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/options.hpp"
#include "command/run/data.hpp"
#include "foundation/flag_words.hpp"
#include "runtime/building/build.hpp"
#include "runtime/processes/communicator.hpp"
#include "runtime/progress/phase_times.hpp"
#include "runtime/progress/report.hpp"
#include "runtime/runs/long_run.hpp"
#include "runtime/runs/outputs.hpp"

namespace kasc::command {

/// The numbers of a run that are told at its end.
struct RunFigures {
    long long done = 0, total = 0;  ///< iterations
    double prepare_seconds = 0;     ///< compiling, building, reading
    double compute_seconds = 0;
    double kernel_seconds = 0;
};

struct RunFront {
    std::vector<runtime::ArrayView> inputs{};               ///< in place of datasets of the input file
    std::function<Diagnostics(const BoundRun&)> examine{};  ///< before anything is computed or written;
                                                            ///< with errors the program's own checks are left out
    std::function<runtime::OutputForm(const runtime::ProgramInterface&, const std::vector<long long>& extents)> form{};
    std::function<void(const RunFigures&)> ended{};  ///< before the outputs are written
    bool stop_at_checkpoint =
        false;  ///< the first checkpoint ends the run; the outputs' file stands there from its start
    std::optional<runtime::Interval> every{};     ///< between checkpoints, in place of the options'
    const FlagWords* flags = nullptr;             ///< what the command calls the flags of kasc run; null: the same
    long long steps_before = 0;                   ///< steps that are done before the first iteration, and count as such
    std::optional<runtime::ReportForm> report{};  ///< progress as lines on standard output, in place of the display
    runtime::PhaseTimes times{};                  ///< of the command until the run begins
    bool quiet = false;                           ///< the report of the compilation is left out
    runtime::BuildPurpose purpose = runtime::BuildPurpose::long_runs;  ///< of code for a CPU
    /// On a CPU: sets the sizes and numbers that the program is planned for in place of the run's own, so that all runs
    /// have the same plan, and one built program.
    std::function<void(CheckedProgram&)> plan_for{};
    /// The program is built, and nothing computed: into this cache as one that comes with kasc, or without one into the
    /// user's.
    bool build_only = false;
    runtime::BuildCache portable_into{};
    runtime::Communicator* processes = nullptr;  ///< that share the run; null: this one alone
};

/// The status that the command ends with.
[[nodiscard]] int run_with(const RunOptions& options, const RunFront& front);

}  // namespace kasc::command
