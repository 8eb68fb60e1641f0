#pragma once

#include <variant>

#include "schedule/field_schedule.hpp"
#include "schedule/stream_schedule.hpp"

namespace kasc {

using KernelSchedule = std::variant<StreamSchedule, FieldSchedule>;

[[nodiscard]] const Fusion& fusion_of(const KernelSchedule& schedule);

}  // namespace kasc
