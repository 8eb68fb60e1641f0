#pragma once
// What is said of a compilation: a short report after compiling, and the whole explanation.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "foundation/pass_times.hpp"

namespace kasc {

/// Whether the step of an explicit scheme in time is stable, or what must be known to tell.
struct StepReport {
    std::string parameter;
    std::optional<double> value, largest;  ///< of the parameter; none: not known
    std::vector<std::string> needed_inputs, needed_parameters;
};
/// "dt = 0.1 is stable; the largest stable dt is 1.67", a line. Empty where there is nothing to say.
[[nodiscard]] std::string step_text(const StepReport& step);

/// A few lines: which calls went into which kernel and why, predicted time, traffic against the unfused program.
[[nodiscard]] std::string short_report(const Compilation& compilation, std::size_t plan);
/// The n plans, a line each.
[[nodiscard]] std::string plan_table(const Compilation& compilation);
/// Every candidate worth naming: taken, or refused and why (refusals grouped by reason and capped); the predicted parts
/// of the chosen and of the next best; placements; each barrier kept or elided, and why. Requires: compiled with two
/// plans asked for, so that there is a next best to name.
[[nodiscard]] std::string explain_text(const Compilation& compilation, const std::optional<StepReport>& step);
/// `passes`: of the compilation, where they were watched.
[[nodiscard]] std::string explain_json(const Compilation& compilation, const std::optional<StepReport>& step,
                                       const std::vector<PassTime>& passes = {});
/// The fusion space as JSON: every fusion, every candidate held with its features and the parts of its prediction,
/// every refusal. Requires for all candidates: compiled with PlanOptions::keep_all.
[[nodiscard]] std::string space_json(const Compilation& compilation);
/// The kernels of a plan, graph by graph in the order of their launches: `graph`, its estimated `runs`
/// in a run of the program, `numbers` of the calls in the graph, features and prediction.
[[nodiscard]] nlohmann::ordered_json kernels_json(const Compilation& compilation, const PlannedGraph& plan);

}  // namespace kasc
