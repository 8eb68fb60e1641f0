#pragma once
// What the options of a run ask for together.

#include "command/options.hpp"
#include "command/run/bound.hpp"

namespace kasc::command {

/// A run that writes checkpoints, or goes on from one.
[[nodiscard]] bool is_long_run(const RunOptions& options);
/// No file that is written is another's place.
[[nodiscard]] Diagnostics check_files(const RunOptions& options);
/// K0907 --check and --picture need arrays in memory. `streamed`: by output.
[[nodiscard]] Diagnostics check_whole(const RunOptions& options, const RunBinding& bound,
                                      const std::vector<bool>& streamed);

}  // namespace kasc::command
