#pragma once

#include "frontend/expression.hpp"

namespace kasc {

/// True where an evaluation may call a function that no instruction computes: all but abs, floor, ceil, round,
/// minimum, maximum, sqrt, conversions and the parts of complex numbers.
[[nodiscard]] bool calls_functions(const Expression& expression);
/// How often an evaluation calls one, conditions aside.
[[nodiscard]] int functions_called(const Expression& expression);

/// True where an evaluation has a branch to a slow path, for numbers that are very large or small: quotients, square
/// roots, powers, functions of angles, functions of the library.
[[nodiscard]] bool has_slow_path(const Expression& expression);

}  // namespace kasc
