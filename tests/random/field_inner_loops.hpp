#pragma once
// Loops of random programs that a kernel may run: each cell by itself, along an axis, or until it has seen enough; a
// block for lines of cells that look at each other.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_program.hpp"

namespace kasc::random {

/// A sweep (field_sweeps.hpp), or "for (s = 0; s < 5 && A > 0.3; s++) { A = 0.5*A + 0.1; }", which cells end one by
/// one, or "for (s = 0; s < 3; s++) { A = 0.5*A[x - 1] - 0.25*B; }": the fields that it assigns are of `valued`. None:
/// there are none for it.
[[nodiscard]] std::optional<FieldLine> random_inner_loop(Draw& draw, const FieldProgram& program,
                                                         const std::set<std::string>& valued);

/// Fields over the axes of what such a loop hands on: its kernel may have statements that assign them, too.
[[nodiscard]] std::vector<RandomField> fields_beside(const FieldProgram& program, const FieldLine& loop);

}  // namespace kasc::random
