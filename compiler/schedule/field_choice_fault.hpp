#pragma once

#include <string>

#include "schedule/field_schedule.hpp"

namespace kasc {

/// Why the fusion cannot be walked like this; empty: it can. `schedule`: what no choice changes.
[[nodiscard]] std::string choice_fault(const FieldChoice& choice, const FieldPlan& plan, const FieldSchedule& schedule,
                                       const Program& program, const Graph& graph);

}  // namespace kasc
