#pragma once
// The program's operators and functions as C and CUDA spell them, in single precision.

#include "frontend/expression.hpp"
#include "kernel/expression.hpp"

namespace kasc::kernel {

[[nodiscard]] const char* c_spelling(BinaryOperator op);
[[nodiscard]] const char* c_spelling(Intrinsic intrinsic);
/// `left op right`, of floats if `real`: C has no % of floats, but fmodf.
[[nodiscard]] ExprRef operation(BinaryOperator op, ExprRef left, ExprRef right, bool real);

}  // namespace kasc::kernel
