#pragma once
// Ast + Library → Program: names, types, axes and values are resolved, functions of the program are expanded. K02xx.

#include "frontend/ast.hpp"
#include "frontend/program.hpp"

namespace kasc {

[[nodiscard]] Outcome<Program> check(const Ast& ast, const Library& library, const ProgramSettings& sizes = {});

/// "heat-3d.kas" → "heat_3d": the file's stem as a C identifier.
[[nodiscard]] std::string program_name(const std::string& source_name);

}  // namespace kasc
