#pragma once
// The functions of C's mathematics library that intrinsics are, in both precisions: their names in emitted code, and
// what the compiler itself computes with them.

#include <cstdint>
#include <string_view>

#include "frontend/expression.hpp"

namespace kasc {

struct RealFunction {
    const char* name;  ///< of double; that of float ends with an f
    double (*one)(double) = nullptr;
    float (*one_single)(float) = nullptr;
    /// Set where it takes two arguments.
    double (*two)(double, double) = nullptr;
    float (*two_single)(float, float) = nullptr;
};

/// Null: none of C's (int, float, the parts of complex numbers).
[[nodiscard]] const RealFunction* real_function(Intrinsic intrinsic);
/// By the name of double, fmod and kasc_over among them; null: none.
[[nodiscard]] const RealFunction* real_function(std::string_view name);

/// int(e): the fraction is cut off; what is beyond 32 bits is the nearest integer of 32 bits, what is no number 0.
[[nodiscard]] std::int32_t cut_to_integer(double value);

}  // namespace kasc
