#pragma once
// A command that a launcher has started as one of several processes: all of them make the same checks, each of what it
// has of the data, and rank 0 speaks.

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

/// By all processes: what any of them says, on all. First what rank 0 says, then, of each place and code once, what
/// only others do, with a note that names the first of them.
[[nodiscard]] Diagnostics said_by_any(runtime::Communicator& processes, const Diagnostics& own);

/// By all processes: how messages went and how long they took, and what memory processes have had, each at most.
///
///   messages: by MPI, 40 exchanges and 84.2 MB from one process at most; they took rank 1 0.052 s
///   memory: 84.2 MB in one process at most, rank 2; rank 0 has had 81.0 MB
[[nodiscard]] std::string figures_of_all(runtime::Communicator& processes);

}  // namespace kasc::command
