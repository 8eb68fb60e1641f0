#pragma once
// Rows that are made of no whole vectors: the kernel that computes one cell at a time runs in place of the chosen one
// (schedule/field/alternatives), so that its price counts.

#include "model/prediction.hpp"

namespace kasc {

/// As the program is planned; 1 of a kernel without axes.
[[nodiscard]] long long cells_of_row(const FieldSchedule& schedule, const Problem& problem);
/// Requires: the scheduler, the schedule and the predictor are of one fusion.
[[nodiscard]] Prediction price_of_run(const FieldScheduler& scheduler, const FieldSchedule& schedule,
                                      FieldPredictor& predictor, const Problem& problem);

}  // namespace kasc
