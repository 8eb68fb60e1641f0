// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// d[z = 0] = f[z = 0]
__global__ void __launch_bounds__(256)
loop_k0(const float *__restrict__ f, float *__restrict__ d, int nx, int ny) {
    const int x = (int)blockIdx.x * 128 + (int)threadIdx.x * 4;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_d = (long long)y * nx + x;
        float f_at[4];
        load4(f_at + 0, f + i_d);
        float d_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            d_0[v] = f_at[v];
        }
        store4(d + i_d, d_0 + 0);
    }
}

// d[z = 0] = f[z = 0]
__global__ void __launch_bounds__(256)
loop_k0_v1(const float *__restrict__ f, float *__restrict__ d, int nx, int ny) {
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_d = (long long)y * nx + x;
        const float f_at = f[i_d];
        d[i_d] = f_at;
    }
}

// for (k = 1; k < extent(z); k++)
//     d[z = k] = r*d[z = k - 1] + f[z = k]
__global__ void __launch_bounds__(64)
loop_k1(const float *__restrict__ f, float *__restrict__ d, int nx, int nz, int ny, int c0, float r) {
    const long long cell = (long long)blockIdx.x * 64 + (int)threadIdx.x;
    if (cell < (long long)nx * ny) {
        const int x = (int)(cell % nx);
        const int y = (int)(cell / nx);
        float d_former = 0.0f;
        if (1 < nz) {
            d_former = d[((long long)c0 * ny + y) * nx + x];
        }
        #pragma unroll 4
        for (int k = 1; k < nz; ++k) {
            const long long i_f = ((long long)k * ny + y) * nx + x;
            const float f_at = f[i_f];
            const float d_new_0 = fmaf(r, d_former, f_at);
            d[i_f] = d_new_0;
            d_former = d_new_0;
        }
    }
}

// for (k = 1; k < extent(z); k++)
//     d[z = extent(z) - 1 - k] = d[z = extent(z) - 1 - k] - r*d[z = extent(z) - k]
__global__ void __launch_bounds__(64)
loop_k2(float *__restrict__ d, int nx, int nz, int ny, int c0, float r) {
    const long long cell = (long long)blockIdx.x * 64 + (int)threadIdx.x;
    if (cell < (long long)nx * ny) {
        const int x = (int)(cell % nx);
        const int y = (int)(cell / nx);
        float d_former = 0.0f;
        if (1 < nz) {
            d_former = d[((long long)c0 * ny + y) * nx + x];
        }
        #pragma unroll 4
        for (int k_2 = 1; k_2 < nz; ++k_2) {
            const int k_2_1 = nz - 1 - k_2;
            const long long i_d = ((long long)k_2_1 * ny + y) * nx + x;
            const float d_at = d[i_d];
            const float d_new_0 = fmaf(-r, d_former, d_at);
            d[i_d] = d_new_0;
            d_former = d_new_0;
        }
    }
}

// before = u
// for (i = 0; i < n; i++)
//     next = 1.5*u - 0.75*before + r*i
//     before = u
//     u = next
__global__ void __launch_bounds__(64)
loop_k3(const float *__restrict__ u, float *__restrict__ u_new_2, float *__restrict__ before_new_3, int nx, int ny, int n, float r) {
    const long long cell = (long long)blockIdx.x * 64 + (int)threadIdx.x;
    if (cell < (long long)nx * ny) {
        const int x = (int)(cell % nx);
        const int y = (int)(cell / nx);
        const long long i_2 = (long long)y * nx + x;
        const float u_0 = u[i_2];
        const float before_0 = u_0;
        float u_word = u_0;
        float before_word = before_0;
        #pragma unroll 4
        for (int i = 0; i < n; ++i) {
            const float next_0 = fmaf(r, (float)i, fmaf(1.5f, u_word, -(0.75f * before_word)));
            const float before_new_2_0 = u_word;
            const float u_new_0_set = next_0;
            const float u_new_0 = y >= 1 && y < ny - 1 && (x >= 1 && x < nx - 1) ? u_new_0_set : u_word;
            u_word = u_new_0;
            before_word = before_new_2_0;
        }
        u_new_2[(long long)y * nx + x] = u_word;
        before_new_3[(long long)y * nx + x] = before_word;
    }
}

}  // namespace
