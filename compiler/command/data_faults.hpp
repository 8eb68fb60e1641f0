#pragma once
// Sorts the faults of the data: those that stop a run, those that are told of, and those that the call may allow.

#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"

namespace kasc::command {

/// What --allow knows: "not-finite" (K0712, K0713), "unstable" (K0740), "outside" (K0742, K0744).
[[nodiscard]] std::vector<std::string> allowable_faults();

/// Each of those faults as an error, with --allow in its help; as a warning where it is allowed. A time step that is
/// likely unstable (K0740) is no fact: a warning, left out where it is allowed.
[[nodiscard]] Diagnostics judged(Diagnostics found, const std::vector<std::string>& allowed);

}  // namespace kasc::command
