#pragma once
// Processes that a launcher has started together, as mpirun does, and that speak through MPI. kasc is built with MPI or
// without it.

#include <memory>

#include "foundation/outcome.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

/// A launcher has started this process as one of several.
[[nodiscard]] bool started_by_launcher();

/// This process among them; null: there is no other. Once a process. K0816 kasc was built without MPI, or MPI does not
/// start. Where an exchange does not come to its end within ten minutes, or what a rank holds when an exception passes,
/// all processes are ended, with a message that names the rank.
[[nodiscard]] Outcome<std::unique_ptr<Communicator>> join_processes();

}  // namespace kasc::runtime
