#pragma once
// What it takes that the last block of a kernel goes on with another, in place of a launch.

#include "model/prediction.hpp"

namespace kasc::model {

/// The prediction of a kernel that has this choice, of one that is launched.
[[nodiscard]] Prediction run_as_chosen(Prediction launched, const FieldSchedule& schedule, const Device& device,
                                       const Problem& problem);

}  // namespace kasc::model
