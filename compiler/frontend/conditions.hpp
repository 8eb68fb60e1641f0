#pragma once
// Loops and branches that a run decides, as loops over a count (Ast → Ast), before anything is checked.
//
//     while (residual > 1e-6) { … }        goes_on = residual > 1e-6 ? 1 : 0;
//                                          for (iteration = 0; iteration < 2147483647 && goes_on; iteration++) {
//                                              …
//                                              goes_on = residual > 1e-6 ? goes_on + 1 : -goes_on;
//                                          }
//     if (T > 43) { … } else { … }         goes_on = T > 43 ? 1 : 0;   goes_on_2 = goes_on > 0 ? 0 : 1;
//                                          for (once = 0; once < 1 && goes_on; once++) { … }
//                                          for (once = 0; once < 1 && goes_on_2; once++) { … }
//     if (n % 10 == 0) { … }               for (once = 0; once < (n % 10 == 0 ? 1 : 0); once++) { … }
//
// So a condition is a statement like any other, on a field of integers without axes, and no later stage knows more than
// that an iteration runs where this field is more than 0. It counts: k while iteration k - 1 is to come or is running,
// -k once k iterations have ended, so that one word says how far a loop came that was run ahead of its condition
// (plan/run_ahead.hpp).

#include "frontend/ast.hpp"
#include "frontend/report.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// No loop has a condition any more, nor other statements for where it does not hold.
/// K0264: a loop that cells end one by one does more than
/// assign them.
[[nodiscard]] Ast with_settled_conditions(Ast ast, const Library& library, Report& report);

}  // namespace kasc::frontend
