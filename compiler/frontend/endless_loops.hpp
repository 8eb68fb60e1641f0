#pragma once
// Loops whose condition is the same in every iteration (Ast, as it is written).

#include "frontend/ast.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

/// K0262: nothing that the condition names is assigned in the body. A `while` that begins would never end, which is an
/// error; behind the bound of a `for` it is a warning.
void check_endless_loops(const Ast& ast, Report& report);

}  // namespace kasc::frontend
