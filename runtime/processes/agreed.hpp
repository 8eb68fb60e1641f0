#pragma once
// What is wrong on any of several processes, known to all of them before they go on together.

#include "foundation/diagnostic.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

/// By all processes: `own`, where something is wrong here; else of the first that has something, a fault of this code
/// that names it; nothing where all are well. `processes` null: this one alone.
[[nodiscard]] Diagnostics agreed(Communicator* processes, Diagnostics own, const char* code);

}  // namespace kasc::runtime
