#pragma once
// What is decided on the tokens of a program, before the parser runs: afterwards its recursion is bounded, and every
// bracket has its partner.

#include <vector>

#include "frontend/report.hpp"

namespace kasc::frontend {

/// Reports unknown characters, names that are too long, brackets without partner and too deep nesting. `tokens` are the
/// places of the program's tokens in order, comments left out.
void guard_tokens(const std::vector<Span>& tokens, Report& report);

}  // namespace kasc::frontend
