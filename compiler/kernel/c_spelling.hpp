#pragma once
// The program's operators and functions as C and CUDA spell them, in single precision.

#include "frontend/expression.hpp"

namespace kasc::kernel {

[[nodiscard]] const char* c_spelling(BinaryOperator op);
[[nodiscard]] const char* c_spelling(Intrinsic intrinsic);

}  // namespace kasc::kernel
