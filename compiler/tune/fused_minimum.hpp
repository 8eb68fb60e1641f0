#pragma once
// The least that any fusion must move: every input of the program read once and every output written once. A loop is
// not looked through: each of its iterations reads what enters its body once and writes what leaves it once.

#include "driver/compilation.hpp"

namespace kasc::tune {

/// Bytes for the problem's sizes; `parameters` give loops their bounds. 0: a loop ends by what it computes, so that
/// they are not known.
[[nodiscard]] double fused_minimum_bytes(const CheckedProgram& checked, const std::vector<double>& parameters);

}  // namespace kasc::tune
