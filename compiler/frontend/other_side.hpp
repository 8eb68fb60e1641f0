#pragma once
// The two sides of an `if` are two loops of at most one iteration (conditions.hpp), of which one runs.

#include <vector>

#include "frontend/program.hpp"

namespace kasc::frontend {

/// The loop runs where the last one of the statements before it does not. `to`, `going`: its end, and what is looked
/// at.
[[nodiscard]] bool is_other_side(const ExpressionRef& to, std::optional<VariableId> going,
                                 const std::vector<Statement>& before);

}  // namespace kasc::frontend
