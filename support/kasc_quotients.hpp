// Quotients by numbers that are known where code is compiled, for code emitted by kasc for every target: two products
// and a sum in place of a division, which is a dozen instructions and a branch on a GPU.
//
// 1/c is the sum of two reals, hi + lo, and x/c is fma(x, hi, x·lo) (Brisebarre, Muller and Raina, Accelerating
// correctly rounded floating-point division when the divisor is known in advance, IEEE TC 2004). Before it is rounded,
// that is x/c but for some 2^-44 of it. x/c is farther from what lies in the middle between two floats, where rounding
// turns: their distance is a multiple of 2^-25/d of it, where d is c without its factors of 2, and d is less than 2^16
// (compiler/foundation/divisors.hpp). So it is rounded as a quotient is; of doubles likewise. A quotient below 2^-100
// of floats (2^-960 of doubles) may have another last bit, since x·lo is rounded beyond what floats hold.
//
// hi is nearer to 0 than 1/c, so that lo has its sign: infinities and zeros come out as they should.
#pragma once

#ifndef __CUDACC_RTC__
#include <cmath>
#endif

#ifdef __CUDACC__
#define KASC_OF_QUOTIENTS __host__ __device__ __forceinline__
#else
#define KASC_OF_QUOTIENTS __attribute__((always_inline)) inline
#endif

namespace {

KASC_OF_QUOTIENTS float kasc_overf(float x, float c) {
    const float hi = 1.0f / c * 0.999999940395355224609375f;  // the next float towards 0
    const float lo = fmaf(-c, hi, 1.0f) / c;
    return fmaf(x, hi, x * lo);
}
KASC_OF_QUOTIENTS double kasc_over(double x, double c) {
    const double hi = 1.0 / c * 0.99999999999999988897769753748434595763683319091796875;
    const double lo = fma(-c, hi, 1.0) / c;
    return fma(x, hi, x * lo);
}

}  // namespace
