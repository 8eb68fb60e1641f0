// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// d[x = 0] = f[x = 0]
__global__ void __launch_bounds__(256)
line_loop_k0(const float *__restrict__ f, float *__restrict__ d, int ny, int nz, int nx) {
    const int y = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int z = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (y < ny && z < nz) {
        const long long i_d = ((long long)z * ny + y) * nx;
        const float f_at = f[i_d];
        d[i_d] = f_at;
    }
}

// for (k = 1; k < extent(x); k++)
//     d[x = k] = (f[x = k] + r*d[x = k - 1])/(1 + r)
__global__ void __launch_bounds__(128)
line_loop_k1(const float *__restrict__ f, float *__restrict__ d, int nx, int ny, int nz, int c0, float r, float c1, float c2) {
    __shared__ __align__(16) float f_tile[2112];  // 32 cells, 32 iterations each, of f, then d
    const long long first = (long long)blockIdx.x * 32;
    const int lines = first + 32 < (long long)ny * nz ? 32 : (int)((long long)ny * nz - first);
    float d_former[1];
    {
        const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && cell < (long long)ny * nz) {
            const int y = (int)(cell % ny);
            const int z = (int)(cell / ny);
            d_former[0] = 0.0f;
            if (1 < nx) {
                d_former[0] = d[((long long)z * ny + y) * nx + c0];
            }
        }
    }
    {
        const int column = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
        #pragma unroll 8
        for (int pass = 0; pass < 8; ++pass) {
            const int line = (int)(threadIdx.y * 32 + threadIdx.x) / 32 + pass * 4;
            const int k_there = column;
            if (line < lines && (k_there >= 1 && k_there < nx)) {
                fetch(f_tile + line * 33 + column, f + first * nx + (long long)line * nx + k_there);
            }
        }
    }
    for (int chunk = 0; chunk < nx; chunk += 32) {
        await_copies();
        __syncthreads();  // the fetch of the next words writes f_tile, which other threads may still read
        const int begin = max(chunk, 1);
        const int end = min(chunk + 32, nx);
        const int slot = chunk / 32 % 2;
        {
            const int column = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
            #pragma unroll 8
            for (int pass = 0; pass < 8; ++pass) {
                const int line = (int)(threadIdx.y * 32 + threadIdx.x) / 32 + pass * 4;
                const int k_there = chunk + 32 + column;
                if (line < lines && (k_there >= 1 && k_there < nx)) {
                    fetch(f_tile + (1 - slot) * 1056 + (line * 33 + column), f + first * nx + (long long)line * nx + k_there);
                }
            }
        }
        {
            const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
            if ((int)threadIdx.y == 0 && cell < (long long)ny * nz) {
                #pragma unroll 4
                for (int k = begin; k < end; ++k) {
                    const int in_line = (int)threadIdx.x * 33 + (k - chunk);
                    const float d_new_0 = kasc_overf(fmaf(r, d_former[0], f_tile[slot * 1056 + in_line]), c1, c2);
                    f_tile[slot * 1056 + in_line] = d_new_0;
                    d_former[0] = d_new_0;
                }
            }
        }
        __syncthreads();  // the store reads f_tile, which other threads computed
        {
            const int column = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
            #pragma unroll 8
            for (int pass = 0; pass < 8; ++pass) {
                const int line = (int)(threadIdx.y * 32 + threadIdx.x) / 32 + pass * 4;
                const int k_there = chunk + column;
                if (line < lines && (k_there >= 1 && k_there < nx)) {
                    d[first * nx + (long long)line * nx + k_there] = f_tile[slot * 1056 + (line * 33 + column)];
                }
            }
        }
    }
}

// for (k = 1; k < extent(x); k++)
//     d[x = extent(x) - 1 - k] = d[x = extent(x) - 1 - k] - r*d[x = extent(x) - k]
__global__ void __launch_bounds__(128)
line_loop_k2(float *__restrict__ d, int nx, int ny, int nz, int c0, float r) {
    __shared__ __align__(16) float d_tile[2112];  // 32 cells, 32 iterations each, of d
    const long long first = (long long)blockIdx.x * 32;
    const int lines = first + 32 < (long long)ny * nz ? 32 : (int)((long long)ny * nz - first);
    float d_former[1];
    {
        const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && cell < (long long)ny * nz) {
            const int y = (int)(cell % ny);
            const int z = (int)(cell / ny);
            d_former[0] = 0.0f;
            if (1 < nx) {
                d_former[0] = d[((long long)z * ny + y) * nx + c0];
            }
        }
    }
    {
        const int column = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
        #pragma unroll 8
        for (int pass = 0; pass < 8; ++pass) {
            const int line = (int)(threadIdx.y * 32 + threadIdx.x) / 32 + pass * 4;
            const int k_2_back = 31 - column;
            if (line < lines && (k_2_back >= 1 && k_2_back < nx)) {
                fetch(d_tile + line * 33 + column, d + first * nx + (long long)line * nx + (nx - 1 - k_2_back));
            }
        }
    }
    for (int chunk = 0; chunk < nx; chunk += 32) {
        await_copies();
        __syncthreads();  // the fetch of the next words writes d_tile, which other threads may still read
        const int begin = max(chunk, 1);
        const int end = min(chunk + 32, nx);
        const int slot = chunk / 32 % 2;
        {
            const int column = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
            #pragma unroll 8
            for (int pass = 0; pass < 8; ++pass) {
                const int line = (int)(threadIdx.y * 32 + threadIdx.x) / 32 + pass * 4;
                const int k_2_back = chunk + 32 + (31 - column);
                if (line < lines && (k_2_back >= 1 && k_2_back < nx)) {
                    fetch(d_tile + (1 - slot) * 1056 + (line * 33 + column), d + first * nx + (long long)line * nx + (nx - 1 - k_2_back));
                }
            }
        }
        {
            const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
            if ((int)threadIdx.y == 0 && cell < (long long)ny * nz) {
                #pragma unroll 4
                for (int k_2 = begin; k_2 < end; ++k_2) {
                    const int back_in_line = (int)threadIdx.x * 33 + (31 - (k_2 - chunk));
                    const float d_new_0 = fmaf(-r, d_former[0], d_tile[slot * 1056 + back_in_line]);
                    d_tile[slot * 1056 + back_in_line] = d_new_0;
                    d_former[0] = d_new_0;
                }
            }
        }
        __syncthreads();  // the store reads d_tile, which other threads computed
        {
            const int column = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
            #pragma unroll 8
            for (int pass = 0; pass < 8; ++pass) {
                const int line = (int)(threadIdx.y * 32 + threadIdx.x) / 32 + pass * 4;
                const int k_2_back = chunk + (31 - column);
                if (line < lines && (k_2_back >= 1 && k_2_back < nx)) {
                    d[first * nx + (long long)line * nx + (nx - 1 - k_2_back)] = d_tile[slot * 1056 + (line * 33 + column)];
                }
            }
        }
    }
}

// s[z = 0] = f[z = 0]
__global__ void __launch_bounds__(256)
line_loop_k3(const float *__restrict__ f, float *__restrict__ s, int nx, int ny) {
    const int x = (int)blockIdx.x * 1024 + (int)threadIdx.x * 4;
    const int y = (int)blockIdx.y + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_s = (long long)y * nx + x;
        float f_at[4];
        load4(f_at + 0, f + i_s);
        float s_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            s_0[v] = f_at[v];
        }
        store4(s + i_s, s_0 + 0);
    }
}

// s[z = 0] = f[z = 0]
__global__ void __launch_bounds__(256)
line_loop_k3_v1(const float *__restrict__ f, float *__restrict__ s, int nx, int ny) {
    const int x = (int)blockIdx.x * 256 + (int)threadIdx.x;
    const int y = (int)blockIdx.y + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_s = (long long)y * nx + x;
        const float f_at = f[i_s];
        s[i_s] = f_at;
    }
}

// for (k = 1; k < extent(z); k++)
//     s[z = k] = s[z = k - 1] + f[z = k]
__global__ void __launch_bounds__(128)
line_loop_k4(const float *__restrict__ f, float *__restrict__ s, int nz, int ny, int nx, int c0) {
    __shared__ __align__(16) float f_tile[2048];  // 32 cells, 32 iterations each, of f
    float s_former[1];
    {
        const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && cell < (long long)nx * ny) {
            const int x = (int)(cell % nx);
            const int y = (int)(cell / nx);
            s_former[0] = 0.0f;
            if (1 < nz) {
                s_former[0] = s[((long long)c0 * ny + y) * nx + x];
            }
        }
    }
    {
        const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
        if (cell < (long long)nx * ny) {
            const int x = (int)(cell % nx);
            const int y = (int)(cell / nx);
            #pragma unroll 8
            for (int pass = 0; pass < 8; ++pass) {
                const int row = pass * 4 + (int)threadIdx.y;
                const int k_3_of_row = 1 + row;
                if (k_3_of_row >= 1 && k_3_of_row < nz) {
                    fetch(f_tile + row * 32 + (int)threadIdx.x, f + ((long long)k_3_of_row * ny + y) * nx + x);
                }
            }
        }
    }
    for (int chunk = 1; chunk < nz; chunk += 32) {
        await_copies();
        __syncthreads();  // the fetch of the next words writes f_tile, which other threads may still read
        const int begin = max(chunk, 1);
        const int end = min(chunk + 32, nz);
        const int slot = (chunk - 1) / 32 % 2;
        {
            const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
            if (cell < (long long)nx * ny) {
                const int x = (int)(cell % nx);
                const int y = (int)(cell / nx);
                #pragma unroll 8
                for (int pass = 0; pass < 8; ++pass) {
                    const int row = pass * 4 + (int)threadIdx.y;
                    const int k_3_of_row = chunk + 32 + row;
                    if (k_3_of_row >= 1 && k_3_of_row < nz) {
                        fetch(f_tile + (1 - slot) * 1024 + (row * 32 + (int)threadIdx.x), f + ((long long)k_3_of_row * ny + y) * nx + x);
                    }
                }
            }
        }
        {
            const long long cell = (long long)blockIdx.x * 32 + (int)threadIdx.x;
            if ((int)threadIdx.y == 0 && cell < (long long)nx * ny) {
                const int x = (int)(cell % nx);
                const int y = (int)(cell / nx);
                #pragma unroll 4
                for (int k_3 = begin; k_3 < end; ++k_3) {
                    const int own = (k_3 - chunk) * 32 + (int)threadIdx.x;
                    const float s_new_0 = s_former[0] + f_tile[slot * 1024 + own];
                    const long long i_s = ((long long)k_3 * ny + y) * nx + x;
                    s[i_s] = s_new_0;
                    s_former[0] = s_new_0;
                }
            }
        }
    }
}

}  // namespace
