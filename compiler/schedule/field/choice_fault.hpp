#pragma once

#include <string>

#include "schedule/field/walk/walk.hpp"

namespace kasc {

[[nodiscard]] FusionFaults fusion_faults(const FieldWork& work, const Program& program, const Graph& graph);

/// Why the fusion cannot be walked like this; empty: it can.
[[nodiscard]] std::string choice_fault(const FieldChoice& choice, const FieldWork& work, const FusionFaults& faults,
                                       const Program& program, const Graph& graph);

}  // namespace kasc
