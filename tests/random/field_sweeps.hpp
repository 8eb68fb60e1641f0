#pragma once
// Loops of random programs that go along an axis: recurrences forwards and backwards, with what they hand on.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_program.hpp"

namespace kasc::random {

/// "for (s = 1; s < extent(x); s++) { A[x = s] = 0.5*A[x = s - 1] + B[x = s]; }": the fields that it assigns are of
/// `valued`. None: there are none, or the program has transforms, in which a recurrence makes steep slopes.
[[nodiscard]] std::optional<FieldLine> random_sweep(Draw& draw, const FieldProgram& program,
                                                    const std::set<std::string>& valued);

}  // namespace kasc::random
