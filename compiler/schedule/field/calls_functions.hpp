#pragma once

#include "frontend/expression.hpp"

namespace kasc {

/// True where an evaluation may call a function that no instruction computes: all but abs, floor, minimum, maximum,
/// sqrt and the parts of complex numbers.
[[nodiscard]] bool calls_functions(const Expression& expression);

}  // namespace kasc
