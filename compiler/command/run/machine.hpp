#pragma once
// What a run computes on, as the options ask for it.

#include "command/options.hpp"
#include "engine/machine.hpp"

namespace kasc::command {

/// K0801, K0805, K0808; K0917 several processes, or ranks of one, that cannot share a run. `processes`: that share it;
/// null: this one is alone. By all of them: none has a machine where another has not; K0817.
[[nodiscard]] Outcome<Machine> run_machine(const RunOptions& options, runtime::Communicator* processes);

}  // namespace kasc::command
