// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// g[q = 0] = f[q = 0] + k*(f[q = 1] - f[q = 0])
// g[q = 1] = f[q = 1] + k*(f[q = 2] - f[q = 1])
// g[q = 2] = f[q = 2] + k*(f[q = 3] - f[q = 2])
// g[q = 3] = f[q = 3] + k*(f[q = 0, x = x + 1] - f[q = 3])
__global__ void __launch_bounds__(128)
staged_k0(const float *__restrict__ f, const float *__restrict__ k, float *__restrict__ g_new_3, int nx, int ny, int nq) {
    const int y = (int)blockIdx.x / ((nx + 127) / 128);
    const int x0 = (int)blockIdx.x % ((nx + 127) / 128) * 128;
    const long long i_f_in = ((long long)y * nx + x0) * nq;
    const long long i_g_out = ((long long)y * nx + x0) * nq;
    __shared__ __align__(16) float f_in[640];  // the words of the block's cells
    __shared__ __align__(16) float g_out[640];  // the words of the block's cells
    {
        if (nx - x0 >= 128) {
            #pragma unroll
            for (int n = 0; n < 4; ++n) {
                const int w = n * 128 + (int)threadIdx.x;
                f_in[w + w / 4] = f[i_f_in + w];
            }
        } else {
            #pragma unroll
            for (int n = 0; n < 4; ++n) {
                const int w = n * 128 + (int)threadIdx.x;
                f_in[w + w / 4] = f[i_f_in + min(w, (nx - x0) * 4 - 1)];
            }
        }
    }
    __syncthreads();  // each cell reads f_in, which other threads filled
    {
        const int x = x0 + (int)threadIdx.x;
        if (x < nx) {
            const float f_at = f_in[(int)threadIdx.x * 5];
            const long long i = (long long)y * nx + x;
            const float k_0 = k[i];
            const float f_at_2 = f_in[(int)threadIdx.x * 5 + 1];
            const float f_at_3 = f_in[(int)threadIdx.x * 5 + 2];
            const float f_at_4 = f_in[(int)threadIdx.x * 5 + 3];
            const int x_at = max(min(x + 1, nx - 1), 0);
            g_out[(int)threadIdx.x * 5] = fmaf(k_0, f_at_2 - f_at, f_at);
            g_out[(int)threadIdx.x * 5 + 1] = fmaf(k_0, f_at_3 - f_at_2, f_at_2);
            g_out[(int)threadIdx.x * 5 + 2] = fmaf(k_0, f_at_4 - f_at_3, f_at_3);
            g_out[(int)threadIdx.x * 5 + 3] = fmaf(k_0, f[((long long)y * nx + x_at) * nq] - f_at_4, f_at_4);
        }
    }
    __syncthreads();  // the store reads g_out, which other threads computed
    {
        if (nx - x0 >= 128) {
            #pragma unroll
            for (int n = 0; n < 4; ++n) {
                const int w = n * 128 + (int)threadIdx.x;
                g_new_3[i_g_out + w] = g_out[w + w / 4];
            }
        } else {
            #pragma unroll
            for (int n = 0; n < 4; ++n) {
                const int w = n * 128 + (int)threadIdx.x;
                if (w <= (nx - x0) * 4 - 1) {
                    g_new_3[i_g_out + w] = g_out[w + w / 4];
                }
            }
        }
    }
}

}  // namespace
