#pragma once
// Recurrences of more than one step, and filters: the words that several iterations before have made, or read, are
// handed on in words of the cell, where a kernel runs the loop. What the iteration before has made is at hand by
// itself.
//
//     for (k = 2; k < extent(t); k++)                   z_2 = z[t = 0]; x_1 = x[t = 1];
//         z[t = k] = z[t = k - 1] - z[t = k - 2]        for (k = 2; k < extent(t); k++) {
//                    + x[t = k] + x[t = k - 1];    ->       x_now = x[t = k];
//                                                           z[t = k] = z[t = k - 1] - z_2 + x_now + x_1;
//                                                           z_2 = z[t = k - 1]; x_1 = x_now;
//                                                       }

#include "frontend/program.hpp"

namespace kasc {

/// The same words of all results. Requires: loops that are marked (Loop::inside) may run within a kernel.
[[nodiscard]] Program with_former_words(Program program);

}  // namespace kasc
