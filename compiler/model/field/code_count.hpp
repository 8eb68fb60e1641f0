#pragma once
// How much code the cells of a kernel are: what its instructions take in the caches that hold them.

#include "model/field/statement_costs.hpp"
#include "schedule/field/work.hpp"

namespace kasc::model {

/// Instructions of one cell's calls, in the code and not as they are run: what several calls compute alike of the same
/// words stands there once, as a compiler leaves it, what all cells share is computed by the host, and a product that
/// is added to something is one instruction with the sum. Loads, stores and addresses are not among them.
[[nodiscard]] double code_count(const FieldWork& work, StatementCosts& costs);

}  // namespace kasc::model
