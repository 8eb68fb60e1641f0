// Integers, for code emitted by kasc for every target: what int(e) makes of a real, the smaller and the larger of two,
// and numbers that stay in registers.
#pragma once

#ifndef __CUDACC_RTC__
#include <type_traits>
#endif

#ifdef __CUDACC__
#define KASC_ANYWHERE __host__ __device__ __forceinline__
#else
#define KASC_ANYWHERE inline
#endif

namespace {

// The fraction is cut off; what is beyond the integers up to `largest` is the nearest of them, what is no number is 0.
// Without a branch: the number is first brought to where the conversion means something.
template <class Integer, class Real>
KASC_ANYWHERE Integer kasc_cut_to(Integer largest, Real x) {
    const Real end = (Real)2 * (Real)(largest / 2 + 1);  // the first that is too large
    const Real number = x == x ? x : (Real)0;
    const Real low = number < -end ? -end : number;
    const Integer inside = (Integer)(low < end ? low : (Real)0);
    return low < end ? inside : largest;
}
template <class Real>
KASC_ANYWHERE int kasc_cut(Real x) {
    return kasc_cut_to(2147483647, x);
}

// Kernels for CUDA call the device's own conversion of a float, which is this.
KASC_ANYWHERE int kasc_intf(float x) { return kasc_cut(x); }

// The device's own conversion of a double makes another number of what is none.
KASC_ANYWHERE int kasc_int(double x) {
#ifdef __CUDA_ARCH__
    return x == x ? __double2int_rz(x) : 0;
#else
    return kasc_cut(x);
#endif
}

// The same of 64 bits. The device's own conversions make another number of what is none.
KASC_ANYWHERE long long kasc_longf(float x) {
#ifdef __CUDA_ARCH__
    return x == x ? __float2ll_rz(x) : 0;
#else
    return kasc_cut_to(9223372036854775807LL, x);
#endif
}
KASC_ANYWHERE long long kasc_long(double x) {
#ifdef __CUDA_ARCH__
    return x == x ? __double2ll_rz(x) : 0;
#else
    return kasc_cut_to(9223372036854775807LL, x);
#endif
}

// The same number, in a register: nvcc makes what is the same for all planes of a walk anew at each, where it sees how.
KASC_ANYWHERE int kasc_kept(int x) {
#ifdef __CUDA_ARCH__
    asm("" : "+r"(x));
#endif
    return x;
}

#ifndef __CUDACC_RTC__
template <class A, class B>
std::common_type_t<A, B> kasc_min(A a, B b) {
    return b < a ? b : a;
}
template <class A, class B>
std::common_type_t<A, B> kasc_max(A a, B b) {
    return a < b ? b : a;
}
#endif

}  // namespace
