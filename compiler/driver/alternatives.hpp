#pragma once
// Other programs of the same results, planned beside the one that was written; what the model finds faster is taken.

#include "driver/compilation.hpp"

namespace kasc {

using Plans = Outcome<std::vector<PlannedGraph>>;

/// Best first, launches that small kernels are spared of taken off.
[[nodiscard]] Plans plan_with(const CheckedProgram& checked, const PlanOptions& options, Riding riding);

/// The plans of the program with its lists numbered, where they are faster or asked for.
[[nodiscard]] Compilation with_lists(Compilation compilation, const PlanOptions& options, Lists wanted);
/// The plans of the program whose loops make fields anew, where they are faster.
[[nodiscard]] Compilation with_remade_fields(Compilation compilation, const PlanOptions& options);

}  // namespace kasc
