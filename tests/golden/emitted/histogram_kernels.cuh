// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// bin = picture/4
// count[b = bin] += 1
__global__ void __launch_bounds__(512)
histogram_k0(const unsigned char *__restrict__ picture, int *__restrict__ count_new, int ny, int nx, int nb) {
    const long long entries = (long long)nx * (long long)ny;
    const long long first = (long long)blockIdx.x * 65536;
    const int numbers = (int)(entries - first < 65536 ? entries - first : 65536LL);
    const int cells = nb;
    const int copy_count = cells <= 256 ? 32 : cells <= 512 ? 16 : cells <= 1024 ? 8 : cells <= 2048 ? 4 : cells <= 4096 ? 2 : 1;
    __shared__ __align__(16) int count_copies[8192];  // cells of count
    const int x_step = 4096 % nx;
    const int y_step = 4096 / nx;
    {
        for (int word = (int)threadIdx.x; word < cells * copy_count; word += 512) {
            count_copies[word] = 0;
        }
    }
    __syncthreads();  // each entry writes count_copies, which other threads may still write
    {
        const int own = (int)threadIdx.x & (copy_count - 1);
        const long long left = first + (int)threadIdx.x * 8;
        int x = (int)(left % nx);
        int y = (int)(left / nx);
        #pragma unroll 4
        for (int at = (int)threadIdx.x * 8; at < numbers; at += 4096) {
            const long long i = (long long)y * nx + x;
            unsigned char picture_0[8];
            load8(picture_0 + 0, picture + i);
            int bin_0[8];
            #pragma unroll
            for (int v = 0; v < 8; ++v) {
                bin_0[v] = picture_0[v] / 4;
            }
            #pragma unroll
            for (int v = 0; v < 8; ++v) {
                const int b_listed = bin_0[v];
                if (b_listed >= 0 && b_listed < nb) {
                    kasc_add(&count_copies[b_listed * copy_count + own], 1);
                }
            }
            x = x + x_step;
            const int x_over = x >= nx ? 1 : 0;
            x = x - x_over * nx;
            y = y + (y_step + x_over);
        }
    }
    __syncthreads();  // the store reads count_copies, which other threads added to
    {
        for (int cell = (int)threadIdx.x; cell < cells; cell += 512) {
            long long sum = 0LL;
            for (int copy = 0; copy < copy_count; ++copy) {
                sum = sum + count_copies[cell * copy_count + ((copy + (int)threadIdx.x) & (copy_count - 1))];
            }
            if (sum != 0) {
                const int b_at = cell;
                kasc_add(&count_new[b_at], (int)sum);
            }
        }
    }
}

// bin = picture/4
// count[b = bin] += 1
__global__ void __launch_bounds__(512)
histogram_k0_grid(const unsigned char *__restrict__ picture, int *__restrict__ count_new, int nx, int ny, int nb) {
    const int x = (int)blockIdx.x * 512 + (int)threadIdx.x;
    const int y = (int)blockIdx.y + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i = (long long)y * nx + x;
        const int picture_0 = picture[i];
        const int bin_0 = picture_0 / 4;
        const int b_listed = bin_0;
        if (b_listed >= 0 && b_listed < nb) {
            kasc_add(&count_new[b_listed], 1);
        }
    }
}

}  // namespace
