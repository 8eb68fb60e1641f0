#pragma once

#include "schedule/field/schedule.hpp"

namespace kasc::model {

/// What a walk costs beside what its cells ask for.
struct WalkCosts {
    double instructions = 0;  ///< a thread and plane: indices and tests
    double registers = 0;     ///< beyond those of a thread that computes one cell
    bool loops = false;       ///< threads stay for many planes
    bool core = false;        ///< a block is one core: no threads beside each other that end or wait together
};
[[nodiscard]] WalkCosts walk_costs(const FieldChoice& choice);

}  // namespace kasc::model
