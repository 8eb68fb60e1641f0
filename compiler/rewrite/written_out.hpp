#pragma once
// Loops along an axis of few cells, written out, so that the text says which cells their statements are about:
//
//     for (k = 0; k < 3; k++)                      L[node = 4] = L[node = 0]*L[node = 1];
//         L[node = 4 + k] =                  ->    L[node = 5] = L[node = 2]*L[node = 3];
//             L[node = 2*k]*L[node = 2*k + 1];     L[node = 6] = L[node = 4]*L[node = 5];

#include <optional>

#include "rewrite/word_fields.hpp"

namespace kasc::rewriting {

/// The program without the loops whose variables say at which cell along the axis something is read or assigned, those
/// around them whose variables their bounds ask for, and those within them. None: there are no such loops, the text
/// does not say how many iterations one has, or they are more than 128 statements. Loops along a window stay.
[[nodiscard]] std::optional<Program> with_loops_written_out(const Program& program, const WordAxes& axes);

}  // namespace kasc::rewriting
