#pragma once
// The library's functions for fields stand in front of those of a program.

#include <string>
#include <vector>

#include "frontend/ast.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// Adds the functions of the library. Those whose names the program, a later file or a later folder's code declares are
/// hidden: they serve the functions below them in the library alone. Diagnostics are those of the library's files;
/// without a value, a file is at fault.
[[nodiscard]] Outcome<Ast> with_library_functions(Ast ast, const Library& library);

/// Names of the functions of the program and of the library, those that were not read among them: for suggestions.
[[nodiscard]] std::vector<std::string> function_names(const Ast& ast, const Library& library);

}  // namespace kasc::frontend
