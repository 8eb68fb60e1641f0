#pragma once
// What authors write from the habit of C, Python and Julia, where the parser stops.

#include <string>

#include "frontend/syntax_error.hpp"

namespace kasc::frontend {

/// Statements and operators that the language does not have, 'break', 'a ** b', 'np.sqrt(a)': whether the fault is one
/// of them, and was reported.
[[nodiscard]] bool report_foreign_syntax(const SyntaxFault& fault, Report& report);

/// How what another language writes so is written here; empty where it is not known.
[[nodiscard]] std::string foreign_help(const SyntaxFault& fault);

}  // namespace kasc::frontend
