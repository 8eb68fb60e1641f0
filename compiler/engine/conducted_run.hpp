#pragma once
// A run of several processes. Rank 0 conducts: whoever runs it there, in pieces, with checkpoints and windows, need not
// know of the others, which are told of each call and make it as well.

#include <memory>

#include "runtime/processes/communicator.hpp"
#include "runtime/runs/checkpoint.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc {

/// On rank 0. The others follow until it goes, unless a call of it has failed: then whoever has it ends them. The
/// communicator outlives it.
[[nodiscard]] std::unique_ptr<runtime::PiecewiseRun> conduct(std::unique_ptr<runtime::PiecewiseRun> run,
                                                             runtime::Communicator& processes);

/// On the others: makes the same calls until the run is over. What a call says, if it failed here. `from`: where the
/// run goes on, with what this process has of its arrays; null: it begins.
[[nodiscard]] Diagnostics follow(runtime::PiecewiseRun& run, runtime::Communicator& processes,
                                 const runtime::Checkpoint* from = nullptr);

}  // namespace kasc
