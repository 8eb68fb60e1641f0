// Vector accesses of device memory, for code emitted by kasc for CUDA.
#pragma once

#include "kasc_half.h"

namespace {

// Eight, four and two neighbouring words, in as few accesses of 16 bytes or less as they need.
__device__ __forceinline__ void load4(float* to, const float* from) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void load2(float* to, const float* from) {
    const float2 v = *reinterpret_cast<const float2*>(from);
    to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store4(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
}
__device__ __forceinline__ void store2(float* to, const float* from) {
    *reinterpret_cast<float2*>(to) = make_float2(from[0], from[1]);
}
__device__ __forceinline__ void load2(double* to, const double* from) {
    const double2 v = *reinterpret_cast<const double2*>(from);
    to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store2(double* to, const double* from) {
    *reinterpret_cast<double2*>(to) = make_double2(from[0], from[1]);
}
__device__ __forceinline__ void load4(int* to, const int* from) {
    const int4 v = *reinterpret_cast<const int4*>(from);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void load2(int* to, const int* from) {
    const int2 v = *reinterpret_cast<const int2*>(from);
    to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store4(int* to, const int* from) {
    *reinterpret_cast<int4*>(to) = make_int4(from[0], from[1], from[2], from[3]);
}
__device__ __forceinline__ void store2(int* to, const int* from) {
    *reinterpret_cast<int2*>(to) = make_int2(from[0], from[1]);
}
__device__ __forceinline__ void load2(long long* to, const long long* from) {
    const longlong2 v = *reinterpret_cast<const longlong2*>(from);
    to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store2(long long* to, const long long* from) {
    *reinterpret_cast<longlong2*>(to) = make_longlong2(from[0], from[1]);
}
__device__ __forceinline__ void load4(unsigned char* to, const unsigned char* from) {
    const uchar4 v = *reinterpret_cast<const uchar4*>(from);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void load2(unsigned char* to, const unsigned char* from) {
    const uchar2 v = *reinterpret_cast<const uchar2*>(from);
    to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store4(unsigned char* to, const unsigned char* from) {
    *reinterpret_cast<uchar4*>(to) = make_uchar4(from[0], from[1], from[2], from[3]);
}
__device__ __forceinline__ void store2(unsigned char* to, const unsigned char* from) {
    *reinterpret_cast<uchar2*>(to) = make_uchar2(from[0], from[1]);
}
// Eight are of 8 bits or of 16.
__device__ __forceinline__ void load8(unsigned char* to, const unsigned char* from) {
    const uint2 v = *reinterpret_cast<const uint2*>(from);
    for (int k = 0; k < 4; ++k) to[k] = (unsigned char)(v.x >> 8 * k), to[k + 4] = (unsigned char)(v.y >> 8 * k);
}
__device__ __forceinline__ void store8(unsigned char* to, const unsigned char* from) {
    uint2 v = make_uint2(0, 0);
    for (int k = 0; k < 4; ++k) v.x |= (unsigned)from[k] << 8 * k, v.y |= (unsigned)from[k + 4] << 8 * k;
    *reinterpret_cast<uint2*>(to) = v;
}

// Four words of 8 bytes are two times two.
template <class Word>
__device__ __forceinline__ void load4(Word* to, const Word* from) {
    if constexpr (sizeof(Word) == 8) {
        load2(to, from);
        load2(to + 2, from + 2);
    } else {
        const ushort4 v = *reinterpret_cast<const ushort4*>(from);
        to[0].bits = v.x, to[1].bits = v.y, to[2].bits = v.z, to[3].bits = v.w;
    }
}
template <class Word>
__device__ __forceinline__ void store4(Word* to, const Word* from) {
    if constexpr (sizeof(Word) == 8) {
        store2(to, from);
        store2(to + 2, from + 2);
    } else {
        *reinterpret_cast<ushort4*>(to) = make_ushort4(from[0].bits, from[1].bits, from[2].bits, from[3].bits);
    }
}
// Numbers of 16 bits, as they lie in memory; they become floats on the way into registers, and floats them on the way
// back.
template <class Short>
__device__ __forceinline__ void load2(Short* to, const Short* from) {
    const ushort2 v = *reinterpret_cast<const ushort2*>(from);
    to[0].bits = v.x, to[1].bits = v.y;
}
template <class Short>
__device__ __forceinline__ void store2(Short* to, const Short* from) {
    *reinterpret_cast<ushort2*>(to) = make_ushort2(from[0].bits, from[1].bits);
}
template <class Short>
__device__ __forceinline__ void load8(Short* to, const Short* from) {
    const uint4 v = *reinterpret_cast<const uint4*>(from);
    const unsigned pairs[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 4; ++k)
        to[2 * k].bits = (unsigned short)pairs[k], to[2 * k + 1].bits = (unsigned short)(pairs[k] >> 16);
}
template <class Short>
__device__ __forceinline__ void store8(Short* to, const Short* from) {
    unsigned pairs[4];
    for (int k = 0; k < 4; ++k) pairs[k] = from[2 * k].bits | (unsigned)from[2 * k + 1].bits << 16;
    *reinterpret_cast<uint4*>(to) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
}
template <int n, class Short>
__device__ __forceinline__ void kasc_load(float* to, const Short* from) {
    Short words[n];
    if constexpr (n == 8)
        load8(words, from);
    else if constexpr (n == 4)
        load4(words, from);
    else
        load2(words, from);
    for (int k = 0; k < n; ++k) to[k] = words[k];
}
template <int n, class Short>
__device__ __forceinline__ void kasc_store(Short* to, const float* from) {
    Short words[n];
    for (int k = 0; k < n; ++k) words[k] = from[k];
    if constexpr (n == 8)
        store8(to, words);
    else if constexpr (n == 4)
        store4(to, words);
    else
        store2(to, words);
}
template <class Short>
__device__ __forceinline__ void load2(float* to, const Short* from) {
    kasc_load<2>(to, from);
}
template <class Short>
__device__ __forceinline__ void store2(Short* to, const float* from) {
    kasc_store<2>(to, from);
}
template <class Short>
__device__ __forceinline__ void load4(float* to, const Short* from) {
    kasc_load<4>(to, from);
}
template <class Short>
__device__ __forceinline__ void store4(Short* to, const float* from) {
    kasc_store<4>(to, from);
}
template <class Short>
__device__ __forceinline__ void load8(float* to, const Short* from) {
    kasc_load<8>(to, from);
}
template <class Short>
__device__ __forceinline__ void store8(Short* to, const float* from) {
    kasc_store<8>(to, from);
}

}  // namespace
