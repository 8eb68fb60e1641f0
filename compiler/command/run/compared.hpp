#pragma once
// What a run's progress says of a loop that ends by what it computes.

#include <string>

#include "command/run/pieces.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc::command {

/// "rr 3.2e-05 > 1e-06": the first comparison of the condition of the loop in which the run stands that has a field
/// without axes, as it was when the last piece ended. Empty: there is none, or the run stands elsewhere.
[[nodiscard]] std::string compared_text(const Program& program, const std::vector<OutermostLoop>& loops,
                                        const std::vector<double>& parameters, const std::vector<long long>& extents,
                                        runtime::PiecewiseRun& run);

}  // namespace kasc::command
