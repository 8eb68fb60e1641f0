// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// for (n = 0; n < steps; n++)
//     T = T + r*c*(T[x - 1] - 2*T + T[x + 1])
__global__ void __launch_bounds__(128)
loop_of_lines_k0(const float *__restrict__ T, const float *__restrict__ c, float *__restrict__ T_new_2, int ny, int steps, float r) {
    __shared__ __align__(16) float T_line[512];  // lines of T, 100 cells, of this iteration and of the next
    float c_word[2];
    {
        const int line = (int)blockIdx.x * 2 + (int)threadIdx.y;
        if (line < ny) {
            const int y = line;
            #pragma unroll
            for (int row = 0; row < 2; ++row) {
                const int cell = (int)threadIdx.x + row * 64;
                if (cell < 100) {
                    const int x = cell;
                    T_line[(int)threadIdx.y * 128 + cell] = T[(long long)y * 100 + x];
                    c_word[row] = c[(long long)y * 100 + x];
                }
            }
        }
    }
    #pragma unroll 2
    for (int n = 0; n < steps; ++n) {
        __syncthreads();  // each cell reads T_line, which other threads computed
        const int now = n % 2 * 256;
        const int next = 256 - now;
        {
            const int line = (int)blockIdx.x * 2 + (int)threadIdx.y;
            if (line < ny) {
                #pragma unroll
                for (int row = 0; row < 2; ++row) {
                    const int cell = (int)threadIdx.x + row * 64;
                    if (cell < 100) {
                        const int x = cell;
                        const float T_0 = T_line[now + ((int)threadIdx.y * 128 + cell)];
                        const int xm1 = max(x - 1, 0);
                        const float T_xm1 = T_line[now + ((int)threadIdx.y * 128 + xm1)];
                        const int xp1 = min(x + 1, 99);
                        const float T_xp1 = T_line[now + ((int)threadIdx.y * 128 + xp1)];
                        const float T_new_0 = fmaf(r * c_word[row], fmaf(-2.0f, T_0, T_xm1) + T_xp1, T_0);
                        T_line[next + ((int)threadIdx.y * 128 + cell)] = T_new_0;
                    }
                }
            }
        }
    }
    const int left = max(steps, 0) % 2 * 256;
    {
        const int line = (int)blockIdx.x * 2 + (int)threadIdx.y;
        if (line < ny) {
            const int y = line;
            #pragma unroll
            for (int row = 0; row < 2; ++row) {
                const int cell = (int)threadIdx.x + row * 64;
                if (cell < 100) {
                    const int x = cell;
                    T_new_2[(long long)y * 100 + x] = T_line[left + ((int)threadIdx.y * 128 + cell)];
                }
            }
        }
    }
}

// m[z = 0] = e[z = 0]
__global__ void __launch_bounds__(256)
loop_of_lines_k1(const float *__restrict__ e, float *__restrict__ m, int nx) {
    const int x = (int)blockIdx.x * 1024 + (int)threadIdx.x * 4;
    if (x < nx) {
        const long long i_m = x;
        float e_at[4];
        load4(e_at + 0, e + i_m);
        float m_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            m_0[v] = e_at[v];
        }
        store4(m + i_m, m_0 + 0);
    }
}

// m[z = 0] = e[z = 0]
__global__ void __launch_bounds__(256)
loop_of_lines_k1_v1(const float *__restrict__ e, float *__restrict__ m, int nx) {
    const int x = (int)blockIdx.x * 256 + (int)threadIdx.x;
    if (x < nx) {
        const long long i_m = x;
        const float e_at = e[i_m];
        m[i_m] = e_at;
    }
}

// for (n = 1; n < extent(z); n++)
//     m[z = n] = e[z = n] + min(m[x - 1, z = n - 1], min(m[z = n - 1], m[x + 1, z = n - 1]))
__global__ void __launch_bounds__(100)
loop_of_lines_k2(const float *__restrict__ e, float *__restrict__ m, int nz, int c0) {
    __shared__ __align__(16) float m_line[200];  // the line of m, 100 cells, of this iteration and of the next
    {
        const int cell = (int)threadIdx.x;
        const int x = cell;
        m_line[cell] = 0.0f;
        if (1 < nz) {
            m_line[cell] = m[(long long)c0 * 100 + x];
        }
    }
    #pragma unroll 1
    for (int n_2 = 1; n_2 < nz; ++n_2) {
        __syncthreads();  // each cell reads m_line, which other threads computed
        const int now = (n_2 - 1) % 2 * 100;
        const int next = 100 - now;
        {
            const int cell = (int)threadIdx.x;
            const int x = cell;
            const long long i_e = (long long)n_2 * 100 + x;
            const float e_at = e[i_e];
            const int xm1 = max(x - 1, 0);
            const float m_at_xm1 = m_line[now + xm1];
            const float m_at = m_line[now + cell];
            const int xp1 = min(x + 1, 99);
            const float m_at_xp1 = m_line[now + xp1];
            const float m_new_0 = e_at + fminf(x >= 1 ? m_at_xm1 : 1000000000.0f, fminf(m_at, x < 99 ? m_at_xp1 : 1000000000.0f));
            m[i_e] = m_new_0;
            m_line[next + cell] = m_new_0;
        }
    }
}

}  // namespace
