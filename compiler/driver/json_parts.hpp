#pragma once
// Pieces of JSON that the explanation, the dumped space and the explorer page share. Internal to the stage.

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "driver/compilation.hpp"
#include "driver/report.hpp"

namespace kasc {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json prediction_json(const Prediction& prediction);
/// What a cost model may look at, of any schedule: docs/plans.md has the names.
[[nodiscard]] Json features_json(const KernelSchedule& schedule);
[[nodiscard]] Json calls_json(const Compilation& compilation, const Graph& graph, const std::vector<NodeId>& calls);
[[nodiscard]] Json values_json(const Compilation& compilation, const Graph& graph, const std::vector<ValueId>& values);
/// A chosen kernel: its calls, its prediction, its choice, and what is known of how its blocks work. `graph`: expanded.
[[nodiscard]] Json candidate_json(const Compilation& compilation, const Graph& graph, const Candidate& candidate);
/// The whole explanation (report.hpp).
[[nodiscard]] Json explanation_json(const Compilation& compilation, const std::optional<StepReport>& step);

}  // namespace kasc
