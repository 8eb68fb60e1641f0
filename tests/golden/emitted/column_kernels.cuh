// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// T = T + 0.1 * (T[z - 1] - 2 * T + T[z + 1])
__global__ void __launch_bounds__(128)
column_k0(const float *__restrict__ T, float *__restrict__ T_new, int nx, int ny, int nz) {
    const long long plane = (long long)nx * ny;
    const int z_begin = (int)blockIdx.z * 8;
    const int z_end = min((int)blockIdx.z * 8 + 8, nz);
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 4 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const int z_first = min(max(z_begin, 1), z_end);
        const int z_last = max(min(z_end, nz - 1), z_first);
        for (int step = z_begin; step < z_end - (z_last - z_first); ++step) {
            const int z = step < z_first ? step : step + (z_last - z_first);
            const long long i = ((long long)z * ny + y) * nx + x;
            const float T_0 = T[i];
            const int zm1 = max(z - 1, 0);
            const float T_zm1 = T[((long long)zm1 * ny + y) * nx + x];
            const int zp1 = min(z + 1, nz - 1);
            const float T_zp1 = T[((long long)zp1 * ny + y) * nx + x];
            T_new[i] = fmaf(0.1f, fmaf(-2.0f, T_0, z >= 1 ? T_zm1 : 0.0f) + (z < nz - 1 ? T_zp1 : 0.0f), T_0);
        }
        if (z_first < z_last) {
            const long long start = ((long long)z_first * ny + y) * nx + x;
            float T_zm1 = T[start - plane];
            float T_0 = T[start];
            #pragma unroll 1
            for (int z = z_first; z < z_last; ++z) {
                const long long i = ((long long)z * ny + y) * nx + x;
                const float T_zp1 = T[i + plane];
                T_new[i] = fmaf(0.1f, fmaf(-2.0f, T_0, T_zm1) + T_zp1, T_0);
                T_zm1 = T_0;
                T_0 = T_zp1;
            }
        }
    }
}

}  // namespace
