// Quotients by numbers that are the same for all cells, for code emitted by kasc for every target: two products and a
// sum in place of a division, which is a dozen instructions and a branch on a GPU.
//
// 1/c is the sum of two reals, hi + lo, and x/c is fma(x, hi, x·lo) (Brisebarre, Muller and Raina, Accelerating
// correctly rounded floating-point division when the divisor is known in advance, IEEE TC 2004). Before it is rounded,
// that is x/c but for some 2^-46 of it. So the last bit is another than that of a division only where x/c is nearer
// than that to the middle between two floats: of 2·10^8 drawn quotients of floats 4, of doubles none. Where c is short,
// never: the distance from the middle is a multiple of 2^-25/d of x/c, where d is c without its factors of 2; less than
// 2^16, as of all integers up to it, of halves and thirds of such, it is more than that. Of doubles likewise. A
// quotient below 2^-100 of floats (2^-960 of doubles) may have another last bit, since x·lo is rounded beyond what
// floats hold, and c is to lie between 2^-126 and 2^125 of floats (2^-1022 and 2^1021).
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

/// hi: the next float towards 0 from the nearest to 1/c.
KASC_OF_QUOTIENTS float kasc_inversef(float c) { return 1.0f / c * 0.999999940395355224609375f; }
KASC_OF_QUOTIENTS double kasc_inverse(double c) {
    return 1.0 / c * 0.99999999999999988897769753748434595763683319091796875;
}
/// lo. 1/c that is 0, infinite or no number has none: hi once more keeps what it is.
KASC_OF_QUOTIENTS float kasc_inverse_restf(float c) {
    const float hi = kasc_inversef(c);
    return hi - hi == 0 && hi != 0 ? fmaf(-c, hi, 1.0f) / c : hi;
}
KASC_OF_QUOTIENTS double kasc_inverse_rest(double c) {
    const double hi = kasc_inverse(c);
    return hi - hi == 0 && hi != 0 ? fma(-c, hi, 1.0) / c : hi;
}

/// x/c by hi and lo, which the host has made of c.
KASC_OF_QUOTIENTS float kasc_overf(float x, float hi, float lo) { return fmaf(x, hi, x * lo); }
KASC_OF_QUOTIENTS double kasc_over(double x, double hi, double lo) { return fma(x, hi, x * lo); }
KASC_OF_QUOTIENTS float kasc_overf(float x, float c) { return kasc_overf(x, kasc_inversef(c), kasc_inverse_restf(c)); }
KASC_OF_QUOTIENTS double kasc_over(double x, double c) { return kasc_over(x, kasc_inverse(c), kasc_inverse_rest(c)); }

}  // namespace
