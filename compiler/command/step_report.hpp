#pragma once
// The largest stable time step of a program, as far as it can be told.

#include <optional>
#include <vector>

#include "driver/report.hpp"
#include "stability/stability.hpp"

namespace kasc::command {

/// None where the program has no scheme whose step could be told. `parameters` that are not known are NaN, inputs that
/// are not known null.
[[nodiscard]] std::optional<StepReport> step_report(const CheckedProgram& checked, std::vector<double> parameters,
                                                    const std::vector<long long>& extents,
                                                    const std::vector<const void*>& inputs, const KnownRows& rows = {});

}  // namespace kasc::command
