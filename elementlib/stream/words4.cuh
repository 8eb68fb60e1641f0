// Four neighbouring words in one access where their address in global memory allows it. (The last tile of a stream may
// be moved back to any element.) `to` or `from` may be an array in registers: only the global side is looked at.
__device__ inline void take_words4(float *to, const float *from) {
#ifdef __CUDACC__
    if (reinterpret_cast<unsigned long long>(from) % 16 == 0) {
        const float4 words = *reinterpret_cast<const float4 *>(from);
        to[0] = words.x;
        to[1] = words.y;
        to[2] = words.z;
        to[3] = words.w;
        return;
    }
#endif
#pragma unroll
    for (int k = 0; k < 4; ++k) to[k] = from[k];
}
__device__ inline void put_words4(float *to, const float *from) {
#ifdef __CUDACC__
    if (reinterpret_cast<unsigned long long>(to) % 16 == 0) {
        *reinterpret_cast<float4 *>(to) = make_float4(from[0], from[1], from[2], from[3]);
        return;
    }
#endif
#pragma unroll
    for (int k = 0; k < 4; ++k) to[k] = from[k];
}
