#pragma once
// A command that a launcher has started as one of several processes: all of them make the same checks, rank 0 speaks.

#include <memory>

#include "command/options.hpp"
#include "foundation/outcome.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::command {

/// The processes that share the run; null: this one is alone. K0816 they cannot.
[[nodiscard]] Outcome<std::unique_ptr<runtime::Communicator>> join_launched();

[[nodiscard]] bool speaks(const runtime::Communicator* processes);

/// K0917 several processes do not do what these options ask for.
[[nodiscard]] Diagnostics check_together(const RunOptions& options, const runtime::Communicator& processes);

}  // namespace kasc::command
