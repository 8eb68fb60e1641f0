#pragma once
// The program's types, operators and functions as C and CUDA spell them.

#include "frontend/expression.hpp"
#include "kernel/expression.hpp"

namespace kasc::kernel {

[[nodiscard]] const char* c_spelling(BinaryOperator op);
[[nodiscard]] const char* c_spelling(Type type);
/// "expf" in single precision, "exp" in double.
[[nodiscard]] std::string c_spelling(Intrinsic intrinsic, Precision precision);
/// "fmaf" or "fma": `function` in the precision.
[[nodiscard]] std::string math_name(const char* function, Precision precision);
/// int(e) of a real of the precision, min, max and abs of integers. `is_long`: of 64 bits, else of 32.
[[nodiscard]] ExprRef whole_call(Intrinsic intrinsic, std::vector<ExprRef> arguments, Precision precision,
                                 bool is_long = false);
/// `left op right` of integers, and comparisons of either. The count of a shift is taken modulo their bits.
[[nodiscard]] ExprRef whole_operation(BinaryOperator op, ExprRef left, ExprRef right, bool is_long = false);
/// `left op right` of reals: C has no % of them, but fmod.
[[nodiscard]] ExprRef real_operation(BinaryOperator op, ExprRef left, ExprRef right, Precision precision);

}  // namespace kasc::kernel
