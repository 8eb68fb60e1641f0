// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// T = T + 0.1 * (T[x + 1] - 2 * T + T[x - 1])
// and rec[t = n] = T[x = px, y = py], which the former iteration left
__global__ void __launch_bounds__(256)
rider_k0(const float *__restrict__ T, const int *__restrict__ px, const int *__restrict__ py, float *__restrict__ T_new, float *__restrict__ rec, int nx, int ny, int np, int p_riding, int n_before) {
    // the first blocks: rec[t = n] = T[x = px, y = py]
    const int own_block = (int)blockIdx.y * ((nx + 31) / 32) + (int)blockIdx.x;
    for (int part = own_block; part < (p_riding + 255) / 256; part += (ny + 7) / 8 * ((nx + 31) / 32)) {
        {
            const int p = part * 256 + (int)(threadIdx.y * 32 + threadIdx.x);
            if (p < p_riding) {
                const long long i_rec = (long long)n_before * np + p;
                const long long i_2 = p;
                const int px_0 = px[i_2];
                const int x_at = max(min(px_0, nx - 1), 0);
                const int py_0 = py[i_2];
                const int y_at = max(min(py_0, ny - 1), 0);
                rec[i_rec] = T[(long long)y_at * nx + x_at];
            }
        }
    }
    {
        const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
        const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
        if (x < nx && y < ny) {
            const long long i = (long long)y * nx + x;
            const float T_0 = T[i];
            const int xp1 = min(x + 1, nx - 1);
            const float T_xp1 = T[(long long)y * nx + xp1];
            const int xm1 = max(x - 1, 0);
            const float T_xm1 = T[(long long)y * nx + xm1];
            T_new[i] = fmaf(0.1f, fmaf(-2.0f, T_0, T_xp1) + T_xm1, T_0);
        }
    }
}

// rec[t = n] = T[x = px, y = py]
__global__ void __launch_bounds__(256)
rider_k1(const int *__restrict__ px, const int *__restrict__ py, const float *__restrict__ T, float *__restrict__ rec, int np, int nx, int ny, int n) {
    const int p = (int)blockIdx.x * 256 + (int)threadIdx.x;
    if (p < np) {
        const long long i_rec = (long long)n * np + p;
        const long long i = p;
        const int px_0 = px[i];
        const int x_at = max(min(px_0, nx - 1), 0);
        const int py_0 = py[i];
        const int y_at = max(min(py_0, ny - 1), 0);
        rec[i_rec] = T[(long long)y_at * nx + x_at];
    }
}

}  // namespace
