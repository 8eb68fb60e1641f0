#pragma once
// What an expression costs a GPU's thread in instructions.

#include "foundation/cell_type.hpp"
#include "frontend/program.hpp"

namespace kasc::model {

/// Instructions of one evaluation, in issue slots of float32; a choice counts both sides, and what stands in several
/// places counts once, as kernels compute it.
[[nodiscard]] double instruction_count(const Expression& expression, Precision precision);
/// Those of the value and of the positions that it is computed of and assigned at.
[[nodiscard]] double instruction_count(const FieldStatement& statement);
/// Instructions of the outermost operation alone.
[[nodiscard]] double own_instructions(const Expression& expression, Precision precision);

/// Quotients and roots of reals, each once that stands in it several times: each with a slow path, behind which what
/// follows waits.
[[nodiscard]] int slow_paths(const Expression& expression);

}  // namespace kasc::model
