#pragma once
// Which programs give the same bits everywhere.

#include "frontend/program.hpp"

namespace kasc {

/// True where every operation of the program is correctly rounded by IEEE 754 (+ - * / fma sqrt, and what only
/// selects), so that any two targets give the same bits. exp, log, pow and the trigonometric functions are not:
/// libraries differ in the last places.
[[nodiscard]] bool is_correctly_rounded(const Program& program);

}  // namespace kasc
