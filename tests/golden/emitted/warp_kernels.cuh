// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// T = T[-1, -1] + T[0, -1] + T[1, -1] + T[-1, 0] - 8 * T + T[1, 0] + T[-1, 1] + T[0, 1] + T[1, 1]
__global__ void __launch_bounds__(64)
warp_k0(const float *__restrict__ T, float *__restrict__ T_new, int nx, int ny) {
    const int y_begin = (int)blockIdx.y * 8;
    const int y_end = min((int)blockIdx.y * 8 + 8, ny);
    const int y_first = min(max(y_begin, 1), y_end);
    const int y_last = max(min(y_end, ny - 1), y_first);
    {
        const int place = (int)threadIdx.x % 32;
        const int x = (int)blockIdx.x * 60 + (int)threadIdx.x / 32 * 30 + (place - 1);
        if (place >= 1 && place < 31 && x < nx) {
            const int y_from = x >= 1 && x < nx - 1 ? y_first : y_end;
            const int y_to = x >= 1 && x < nx - 1 ? y_last : y_end;
            for (int step = y_begin; step < y_end - (y_to - y_from); ++step) {
                const int y = step < y_from ? step : step + (y_to - y_from);
                const long long i = (long long)y * nx + x;
                const int xm1 = max(x - 1, 0);
                const int ym1 = max(y - 1, 0);
                const float T_xm1_ym1 = T[(long long)ym1 * nx + xm1];
                const float T_ym1 = T[(long long)ym1 * nx + x];
                const int xp1 = min(x + 1, nx - 1);
                const float T_xp1_ym1 = T[(long long)ym1 * nx + xp1];
                const float T_xm1 = T[(long long)y * nx + xm1];
                const float T_0 = T[i];
                const float T_xp1 = T[(long long)y * nx + xp1];
                const int yp1 = min(y + 1, ny - 1);
                const float T_xm1_yp1 = T[(long long)yp1 * nx + xm1];
                const float T_yp1 = T[(long long)yp1 * nx + x];
                const float T_xp1_yp1 = T[(long long)yp1 * nx + xp1];
                T_new[i] = fmaf(-8.0f, T_0, T_xm1_ym1 + T_ym1 + T_xp1_ym1 + T_xm1) + T_xp1 + T_xm1_yp1 + T_yp1 + T_xp1_yp1;
            }
        }
    }
    float T_ym1[3];
    float T_0[3];
    float T_yp1[3];
    if (y_first < y_last) {
        {
            const int place = (int)threadIdx.x % 32;
            const int x = (int)blockIdx.x * 60 + (int)threadIdx.x / 32 * 30 + (place - 1);
            const int x_held = min(max(x, 0), nx - 1);
            const long long i_held = (long long)y_first * nx + x_held;
            T_ym1[1] = T[i_held - nx];
            T_0[1] = T[i_held];
        }
        T_ym1[0] = __shfl_up_sync(0xffffffffu, T_ym1[1], 1);
        T_ym1[2] = __shfl_down_sync(0xffffffffu, T_ym1[1], 1);
        T_0[0] = __shfl_up_sync(0xffffffffu, T_0[1], 1);
        T_0[2] = __shfl_down_sync(0xffffffffu, T_0[1], 1);
    }
    #pragma unroll 1
    for (int y = y_first; y < y_last; ++y) {
        {
            const int place = (int)threadIdx.x % 32;
            const int x = (int)blockIdx.x * 60 + (int)threadIdx.x / 32 * 30 + (place - 1);
            const int x_held = min(max(x, 0), nx - 1);
            const long long i_held = (long long)y * nx + x_held;
            T_yp1[1] = T[i_held + nx];
        }
        T_yp1[0] = __shfl_up_sync(0xffffffffu, T_yp1[1], 1);
        T_yp1[2] = __shfl_down_sync(0xffffffffu, T_yp1[1], 1);
        {
            const int place = (int)threadIdx.x % 32;
            const int x = (int)blockIdx.x * 60 + (int)threadIdx.x / 32 * 30 + (place - 1);
            if (place >= 1 && place < 31 && x < nx && (x >= 1 && x < nx - 1)) {
                const long long i = (long long)y * nx + x;
                float T_new_0[1];
                #pragma unroll
                for (int v = 0; v < 1; ++v) {
                    T_new_0[v] = fmaf(-8.0f, T_0[v + 1], T_ym1[v] + T_ym1[v + 1] + T_ym1[v + 2] + T_0[v]) + T_0[v + 2] + T_yp1[v] + T_yp1[v + 1] + T_yp1[v + 2];
                }
                T_new[i] = T_new_0[0];
                #pragma unroll
                for (int v = 0; v < 1; ++v) {
                    T_ym1[v] = T_0[v];
                }
                #pragma unroll
                for (int v = 0; v < 1; ++v) {
                    T_ym1[v + 2] = T_0[v + 2];
                }
                #pragma unroll
                for (int v = 0; v < 1; ++v) {
                    T_0[v] = T_yp1[v];
                }
                #pragma unroll
                for (int v = 0; v < 1; ++v) {
                    T_0[v + 2] = T_yp1[v + 2];
                }
            }
            #pragma unroll
            for (int v = 0; v < 1; ++v) {
                T_ym1[v + 1] = T_0[v + 1];
            }
            #pragma unroll
            for (int v = 0; v < 1; ++v) {
                T_0[v + 1] = T_yp1[v + 1];
            }
        }
    }
}

}  // namespace
