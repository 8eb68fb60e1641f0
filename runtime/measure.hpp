#pragma once
// The work of a measuring process.

#include <functional>
#include <string>

#include "runtime/measure_job.hpp"

namespace kasc::runtime {

/// Checks every candidate against the reference, then times those that passed in turns, so that a drift of the clock
/// meets all alike. Every line of the answer goes to `say` as soon as it is known. After a device failure it returns:
/// nothing that the device does later can be trusted. A step that takes longer than the limit ends the process by
/// SIGALRM.
void measure(const MeasureJob& job, const std::function<void(const MeasureEvent&)>& say);

}  // namespace kasc::runtime
