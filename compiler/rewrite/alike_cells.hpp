#pragma once
// Loops whose statements are over different cells: what is over fewer is computed by each of the others' cells, alike
// in all of them, so that a kernel may run the loop.
//
//     for (n = 0; n < steps; n++) {            time_alike = time;                                over [x]
//         u = u - dt*u*time;                   for (n = 0; n < steps; n++) {
//         time = time + dt;              ->        u = u - dt*u*time_alike;
//     }                                            time_alike = time_alike + dt;
//                                              }
//                                              time = time_alike[x = 0];

#include <optional>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

struct AlikeCells {
    Statements before;
    LoopStatement loop;
    Statements behind;
};

/// The same words of all that the loop assigns; the fields that it then assigns are of the program. None: its
/// statements are over the same cells, or over cells of which none are all of the others', or some assign a part of a
/// field, join cells or are loops.
[[nodiscard]] std::optional<AlikeCells> with_alike_cells(Program& program, const LoopStatement& loop);

}  // namespace kasc::rewriting
