#pragma once
// kasc explain --html: the explorer page, with what kasc tune has measured.

#include <vector>

#include "command/options.hpp"
#include "driver/compilation.hpp"
#include "driver/report.hpp"

namespace kasc::command {

/// By parameter; NaN for those without a value: unlike a run, an explanation does without.
[[nodiscard]] std::vector<double> known_parameters(const Program& program);

/// K0720: the page cannot be written, or is another file of the call. K0820: no such database.
[[nodiscard]] Diagnostics page_faults(const ExplainOptions& options);

/// Requires: planned with PlanOptions::keep_all. The database's K0820 to K0822, warnings where it is the user's own;
/// K0602, K0720, K0721 of the page, which is then not written.
[[nodiscard]] Diagnostics write_page(const ExplainOptions& options, const CheckedProgram& checked,
                                     const CompileRequest& request, const Compilation& compilation,
                                     const std::optional<StepReport>& step);

}  // namespace kasc::command
