/* Numbers of 16 bits as they lie in memory, for code emitted by kasc and for its callers: half is IEEE 754's binary16,
   as CUDA's __half is, bfloat16 the upper half of a float, as CUDA's __nv_bfloat16 is. Arithmetic is of float: a number
   is converted where it is read, which is exact, and rounded to nearest, ties to even, where it is written. */
#ifndef KASC_HALF_H
#define KASC_HALF_H

#ifndef __cplusplus

typedef struct kasc_half {
    unsigned short bits;
} kasc_half;
typedef struct kasc_bfloat16 {
    unsigned short bits;
} kasc_bfloat16;

#else

#ifdef __CUDACC__
#define KASC_OF_HALF __host__ __device__ __forceinline__
#else
/* Whole files are compiled for the machine that runs them, others are not: none of these may be shared between them. */
#define KASC_OF_HALF __attribute__((always_inline)) inline
#endif

/* clang knows the type on this machine since 15. */
#if defined(__F16C__) && defined(__FLT16_MAX__) && (!defined(__clang__) || __clang_major__ >= 15)
#define KASC_HALF_BY_HARDWARE
#endif

namespace kasc_halves {

/* NVRTC has no __builtin_memcpy. */
KASC_OF_HALF unsigned bits_of(float x) {
#if defined(__CUDA_ARCH__)
    return __float_as_uint(x);
#else
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}
KASC_OF_HALF float float_of(unsigned bits) {
#if defined(__CUDA_ARCH__)
    return __uint_as_float(bits);
#else
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

/* A double cut to a float whose last digit says whether anything was lost: what is rounded from there is rounded once
   (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008: rounding to odd). */
KASC_OF_HALF float cut_to_odd(double x) {
    const float nearest = (float)x;
    const double back = (double)nearest;
    if (back == x || x != x) return nearest;
    const unsigned bits = bits_of(nearest);
    const bool beyond = x < 0 ? back < x : back > x;
    return float_of((beyond ? bits - 1 : bits) | 1U);
}

KASC_OF_HALF float float_of_half(unsigned short half) {
#if defined(__CUDA_ARCH__)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
    return x;
#elif defined(KASC_HALF_BY_HARDWARE)
    _Float16 x;
    __builtin_memcpy(&x, &half, sizeof x);
    return (float)x;
#else
    /* The exponent moves from 15 to 127; infinities and what is no number keep theirs, and of numbers below the
       smallest normal one a float's subtraction makes normal ones. */
    const unsigned sign = (half & 0x8000U) << 16U, digits = (half & 0x7fffU) << 13U;
    const unsigned exponent = digits & 0x0f800000U;
    const float small = float_of(digits + 0x38800000U) - float_of(0x38800000U);
    const unsigned number = exponent == 0x0f800000U ? digits + 0x70000000U
                            : exponent == 0         ? bits_of(small)
                                                    : digits + 0x38000000U;
    return float_of(number | sign);
#endif
}

KASC_OF_HALF unsigned short half_of_float(float x) {
#if defined(__CUDA_ARCH__)
    unsigned short half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
    return half;
#elif defined(KASC_HALF_BY_HARDWARE)
    const _Float16 rounded = (_Float16)x;
    unsigned short half;
    __builtin_memcpy(&half, &rounded, sizeof half);
    return half;
#else
    const unsigned sign = bits_of(x) & 0x80000000U, number = bits_of(x) ^ sign;
    /* Below the smallest normal number a float's addition rounds at the right digit; above, half of the last digit that
       stays is added, less one where that digit is even. */
    const unsigned small = bits_of(float_of(number) + float_of(0x3f000000U)) - 0x3f000000U;
    const unsigned normal = (number + 0xc8000fffU + ((number >> 13U) & 1U)) >> 13U;
    const unsigned half = number > 0x7f800000U    ? 0x7e00U
                          : number >= 0x47800000U ? 0x7c00U
                          : number < 0x38800000U  ? small
                                                  : normal;
    return (unsigned short)(half | sign >> 16U);
#endif
}

KASC_OF_HALF float float_of_bfloat16(unsigned short number) { return float_of((unsigned)number << 16U); }

KASC_OF_HALF unsigned short bfloat16_of_float(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short number;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(number) : "f"(x));
    return number;
#else
    const unsigned bits = bits_of(x);
    const unsigned rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
    return (unsigned short)((bits & 0x7fffffffU) > 0x7f800000U ? 0x7fffU : rounded);
#endif
}

}  // namespace kasc_halves

struct kasc_half {
    unsigned short bits;

    kasc_half() = default;
    KASC_OF_HALF explicit kasc_half(float x) : bits(kasc_halves::half_of_float(x)) {}
    KASC_OF_HALF explicit kasc_half(double x) : bits(kasc_halves::half_of_float(kasc_halves::cut_to_odd(x))) {}
    KASC_OF_HALF kasc_half& operator=(float x) {
        bits = kasc_halves::half_of_float(x);
        return *this;
    }
    KASC_OF_HALF operator float() const { return kasc_halves::float_of_half(bits); }
};

struct kasc_bfloat16 {
    unsigned short bits;

    kasc_bfloat16() = default;
    KASC_OF_HALF explicit kasc_bfloat16(float x) : bits(kasc_halves::bfloat16_of_float(x)) {}
    KASC_OF_HALF explicit kasc_bfloat16(double x) : bits(kasc_halves::bfloat16_of_float(kasc_halves::cut_to_odd(x))) {}
    KASC_OF_HALF kasc_bfloat16& operator=(float x) {
        bits = kasc_halves::bfloat16_of_float(x);
        return *this;
    }
    KASC_OF_HALF operator float() const { return kasc_halves::float_of_bfloat16(bits); }
};

#endif /* __cplusplus */
#endif
