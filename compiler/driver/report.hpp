#pragma once
// What is said of a compilation: a short report after compiling, and the whole explanation.

#include <string>

#include "driver/compilation.hpp"

namespace kasc {

/// A few lines: which calls went into which kernel and why, predicted time, traffic against the unfused program.
[[nodiscard]] std::string short_report(const Compilation& compilation, std::size_t plan);
/// The n plans, a line each.
[[nodiscard]] std::string plan_table(const Compilation& compilation);
/// Every candidate worth naming: taken, or refused and why (refusals grouped by reason and capped); the predicted parts
/// of the chosen and of the next best; placements; each barrier kept or elided, and why. Requires: compiled with two
/// plans asked for, so that there is a next best to name.
[[nodiscard]] std::string explain_text(const Compilation& compilation);
[[nodiscard]] std::string explain_json(const Compilation& compilation);
/// The fusion space as JSON: every fusion, every candidate held with its features and the parts of its prediction,
/// every refusal. Requires for all candidates: compiled with PlanOptions::keep_all.
[[nodiscard]] std::string space_json(const Compilation& compilation);

}  // namespace kasc
