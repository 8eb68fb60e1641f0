#pragma once
// How a command ends: diagnostics on standard error, and a status that says whose fault it is.

#include "command/options.hpp"
#include "foundation/diagnostic.hpp"

namespace kasc::command {

enum Status : int { good = 0, input_at_fault = 1, call_at_fault = 2, kasc_at_fault = 3 };

/// What the errors among the diagnostics call for; `good` where there are none.
[[nodiscard]] int status_of(const Diagnostics& diagnostics);

/// Prints them and returns their status.
int report(Diagnostics diagnostics, DiagnosticsFormat format);

}  // namespace kasc::command
