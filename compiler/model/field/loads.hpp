#pragma once
// How often a thread reads memory, and what it computes for its cells.

#include "model/field/facts.hpp"

namespace kasc::model {

/// Accesses of a thread and plane in the interior, by read value.
[[nodiscard]] Loads count_loads(const FieldSchedule& schedule, const FieldFacts& facts);
/// The positions of the text at which a read stands.
[[nodiscard]] std::vector<double> positions_of(const FieldRead& read);
/// With what its cells compute together.
[[nodiscard]] ThreadCounts count_thread(const FieldSchedule& schedule, const FieldFacts& facts);

}  // namespace kasc::model
