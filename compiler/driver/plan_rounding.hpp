#pragma once

#include "driver/compilation.hpp"

namespace kasc {

/// By how much results of the plan may differ from the program's as written, relative to the largest; 0: by no bit.
/// Rules may have rounded otherwise, and kernels that transform lines round otherwise than libraries do. Defined in
/// compilation.cpp.
[[nodiscard]] double rounding_of_plan(const Compilation& compilation, std::size_t plan);

}  // namespace kasc
