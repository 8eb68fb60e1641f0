#pragma once
// Tells which programs give the same bits everywhere, and how near the others come.

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc {

/// Any two machines give the same bits of it: rounded as IEEE 754 says, or selected.
[[nodiscard]] bool is_correctly_rounded(Intrinsic intrinsic);

/// How far results on a GPU may be from the reference's, relative to the largest of them. 0 where every operation of
/// the program is correctly rounded by IEEE 754 (+ - * / fma sqrt, and what only selects), so that any two targets give
/// the same bits. exp, log, pow, the trigonometric functions and functions of the library with an Accuracy are not, nor
/// are transforms: machines differ in their last places.
[[nodiscard]] double rounding_tolerance(const Program& program, const Library& library);

/// How far results may be from the reference's on its own machine: where functions of the library state an Accuracy,
/// their implementations may add in other orders than their references; all else has the same bits.
[[nodiscard]] double stated_tolerance(const Program& program, const Library& library);

}  // namespace kasc
