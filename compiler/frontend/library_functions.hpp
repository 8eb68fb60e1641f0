#pragma once
// The library's functions for fields stand in front of those of a program, as if it had written them itself.

#include "frontend/ast.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// Adds those functions of the library whose names the program does not declare. Diagnostics are those of the library's
/// files; without a value, a file is at fault.
[[nodiscard]] Outcome<Ast> with_library_functions(Ast ast, const Library& library);

}  // namespace kasc::frontend
