#pragma once
// What nothing that is returned needs with these options, and needs with others: left out of the program, so that no
// text has to say of each declaration, input and output by which options it is there.
//
//     option absorbing = 0;                     with absorbing = 0:
//     float p[x], q[x], loss[x], slow[x];       float p[x], q[x];
//     input p, loss;                            input p;
//     require(loss >= 0);
//     slow = exp(-loss);
//     q = absorbing ? p*slow : p;               q = p;
//     return q;                                 return q;
//
// Fields are needed that are returned, and those that statements read whose targets are needed. What the text never
// reads stays, with a warning: it is unused with all options.

#include "foundation/outcome.hpp"
#include "frontend/ast.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

/// A program without options stays as it is. Warnings K0240, K0241, K0245; K0112 where nothing is left to return.
[[nodiscard]] Ast without_unneeded(Ast ast, Report& report);

}  // namespace kasc::frontend
