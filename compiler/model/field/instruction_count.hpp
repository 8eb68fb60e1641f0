#pragma once
// What an expression costs a GPU's thread in instructions.

#include "frontend/expression.hpp"

namespace kasc::model {

/// Instructions of one evaluation in float32; a choice counts both sides.
[[nodiscard]] double instruction_count(const Expression& expression);
/// Of its outermost operation alone.
[[nodiscard]] double own_instructions(const Expression& expression);

}  // namespace kasc::model
