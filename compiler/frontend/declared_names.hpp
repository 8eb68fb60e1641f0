#pragma once
// Collects the names that the text of a program declares.

#include <set>
#include <string>

#include "frontend/ast.hpp"

namespace kasc::frontend {

/// Fields, parameters, functions and loop variables.
[[nodiscard]] std::set<std::string> declared_names(const Ast& ast);

}  // namespace kasc::frontend
