#pragma once
// A loop whose statements are over different cells, as loops one after the other, each over the same cells:
//
//     for (i = 1; i < n; i++) {                                 for (i = 1; i < n; i++) {
//         c[x = i] = 1/(4 - c[x = i - 1]);                          c[x = i] = 1/(4 - c[x = i - 1]);
//         d[x = i] = (d[x = i] + d[x = i - 1])*c[x = i];   ->   }
//     }                                                         for (i = 1; i < n; i++) {
//                                                                   d[x = i] = (d[x = i] + d[x = i - 1])*c[x = i];
//                                                               }
//
// with c[x] and d[x, y], as coefficients are that all lines of a system share. One kernel can run each of these loops,
// none both. Statements over more cells may read what those over fewer of their axes assign, at positions that no later
// iteration assigns: no word differs.

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// The bodies of the loops, those over fewer axes first, each in the order of the loop; one: it is a loop as it is.
/// Requires: its statements assign fields.
[[nodiscard]] std::vector<std::vector<Statement>> bodies_apart(const Program& program, const LoopStatement& loop);

}  // namespace kasc
