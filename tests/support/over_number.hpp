#pragma once
// Quotients by what is the same for all cells, in both precisions.

#include "frontend/expression.hpp"
#include "kasc_quotients.hpp"

namespace kasc::test {

[[nodiscard]] inline float over(float x, float c) { return kasc_overf(x, c); }
[[nodiscard]] inline double over(double x, double c) { return kasc_over(x, c); }
[[nodiscard]] inline float over(float x, float hi, float lo) { return kasc_overf(x, hi, lo); }
[[nodiscard]] inline double over(double x, double hi, double lo) { return kasc_over(x, hi, lo); }

/// What the host makes of divisors: kernels' arguments.
[[nodiscard]] inline float made_of_divisor(Intrinsic f, float c) {
    return f == Intrinsic::inverse ? kasc_inversef(c) : kasc_inverse_restf(c);
}
[[nodiscard]] inline double made_of_divisor(Intrinsic f, double c) {
    return f == Intrinsic::inverse ? kasc_inverse(c) : kasc_inverse_rest(c);
}

}  // namespace kasc::test
