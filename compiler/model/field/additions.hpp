#pragma once

#include "model/field/facts.hpp"
#include "model/parts.hpp"

namespace kasc::model {

/// What a GPU takes for entries that add integers to cells, beside what it takes to read them. Requires: the demand has
/// its blocks.
void add_additions(Demand& demand, const FieldFacts& facts, const FieldSchedule& schedule);
/// What a thread waits for its own additions, one after the other.
[[nodiscard]] double additions_wait_ns(const FieldSchedule& schedule);

}  // namespace kasc::model
