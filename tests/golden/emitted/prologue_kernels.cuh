// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// total_parts = sum(u*u)
__global__ void __launch_bounds__(256)
prologue_k0(const float *__restrict__ u, double *__restrict__ total_parts, int ntotal_part, int ny, int nx) {
    const int total_part = (int)blockIdx.x;
    const long long cells = (long long)nx * (long long)ny;
    const long long share = cells <= 67108864 ? 4096LL : ((cells + 16383) / 16384 + 1023) / 1024 * 1024;
    const long long first = (long long)share * total_part;
    const int count = (int)(cells - first < share ? cells - first : share);
    __shared__ __align__(16) double lanes[256];  // what each of 1024 lanes has folded, 4 joined
    double joined[2];
    {
        double folded[4];
        folded[0] = 0.0;
        folded[1] = 0.0;
        folded[2] = 0.0;
        folded[3] = 0.0;
        for (int at = (int)threadIdx.x; at < count; at += 1024) {
            if (at + 768 < count) {
                #pragma unroll 4
                for (int ahead = 0; ahead < 4; ++ahead) {
                    const long long number = first + (at + ahead * 256);
                    const float u_0 = u[number];
                    const double value = (double)(u_0 * u_0);
                    folded[ahead] = folded[ahead] + value;
                }
            } else {
                #pragma unroll 1
                for (int ahead = 0; ahead < 4; ++ahead) {
                    if (at + ahead * 256 < count) {
                        const long long number = first + (at + ahead * 256);
                        const float u_0 = u[number];
                        const double value = (double)(u_0 * u_0);
                        folded[0] = folded[0] + value;
                    }
                    const double own = folded[0];
                    folded[0] = folded[1];
                    folded[1] = folded[2];
                    folded[2] = folded[3];
                    folded[3] = own;
                }
            }
        }
        folded[0] = folded[0] + folded[2];
        folded[1] = folded[1] + folded[3];
        folded[0] = folded[0] + folded[1];
        lanes[(int)threadIdx.x] = folded[0];
    }
    __syncthreads();  // the join reads lanes, which other threads folded
    {
        if ((int)threadIdx.x < 128) {
            const double own = lanes[(int)threadIdx.x];
            const double other = lanes[(int)threadIdx.x + 128];
            lanes[(int)threadIdx.x] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.x < 64) {
            const double own = lanes[(int)threadIdx.x];
            const double other = lanes[(int)threadIdx.x + 64];
            lanes[(int)threadIdx.x] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.x < 32) {
            const double own = lanes[(int)threadIdx.x];
            const double other = lanes[(int)threadIdx.x + 32];
            lanes[(int)threadIdx.x] = own + other;
        }
    }
    {
        joined[0] = lanes[(int)threadIdx.x];
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined[0] = joined[0] + joined[1];
        }
    }
    {
        if ((int)threadIdx.x == 0) {
            total_parts[total_part] = joined[0];
        }
    }
}

// total = sum(u*u)
// scale = 1/sqrt(total)
// v = scale*u
__global__ void __launch_bounds__(256)
prologue_k1(const float *__restrict__ u, const double *__restrict__ total_parts, float *__restrict__ v, float *__restrict__ scale, int nx, int ny, int ntotal_part) {
    float total_word[1];
    float scale_word[1];
    __shared__ __align__(16) double lanes[256];  // what 4 lanes each have folded of the parts of total, joined
    double joined[2];
    {
        double folded[4];
        folded[0] = 0.0;
        folded[1] = 0.0;
        folded[2] = 0.0;
        folded[3] = 0.0;
        for (int at = (int)(threadIdx.y * 32 + threadIdx.x); at < ntotal_part; at += 1024) {
            #pragma unroll 4
            for (int ahead = 0; ahead < 4; ++ahead) {
                if (at + ahead * 256 < ntotal_part) {
                    const double value = total_parts[at + ahead * 256];
                    folded[ahead] = folded[ahead] + value;
                }
            }
        }
        folded[0] = folded[0] + folded[2];
        folded[1] = folded[1] + folded[3];
        folded[0] = folded[0] + folded[1];
        lanes[(int)(threadIdx.y * 32 + threadIdx.x)] = folded[0];
    }
    __syncthreads();  // the join reads lanes of total, which other threads folded
    {
        const int lane = (int)(threadIdx.y * 32 + threadIdx.x) % 32;
        double taken[8];
        taken[0] = lanes[lane];
        taken[1] = lanes[lane + 32];
        taken[2] = lanes[lane + 64];
        taken[3] = lanes[lane + 96];
        taken[4] = lanes[lane + 128];
        taken[5] = lanes[lane + 160];
        taken[6] = lanes[lane + 192];
        taken[7] = lanes[lane + 224];
        taken[0] = taken[0] + taken[4];
        taken[1] = taken[1] + taken[5];
        taken[2] = taken[2] + taken[6];
        taken[3] = taken[3] + taken[7];
        taken[0] = taken[0] + taken[2];
        taken[1] = taken[1] + taken[3];
        taken[0] = taken[0] + taken[1];
        joined[0] = taken[0];
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 16);
    {
        if ((int)(threadIdx.y * 32 + threadIdx.x) % 32 < 16) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 8);
    {
        if ((int)(threadIdx.y * 32 + threadIdx.x) % 32 < 8) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 4);
    {
        if ((int)(threadIdx.y * 32 + threadIdx.x) % 32 < 4) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 2);
    {
        if ((int)(threadIdx.y * 32 + threadIdx.x) % 32 < 2) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 1);
    {
        if ((int)(threadIdx.y * 32 + threadIdx.x) % 32 < 1) {
            joined[0] = joined[0] + joined[1];
        }
    }
    joined[1] = __shfl_sync(0xffffffffu, joined[0], 0);
    {
        total_word[0] = (float)joined[1];
    }
    {
        const float scale_0 = 1.0f / sqrtf(total_word[0]);
        scale_word[0] = scale_0;
        if ((int)(threadIdx.y * 32 + threadIdx.x) == 0 && (int)blockIdx.x == 0 && (int)blockIdx.y == 0) {
            scale[0] = scale_word[0];
        }
    }
    {
        const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
        const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
        if (x < nx && y < ny) {
            const long long i = (long long)y * nx + x;
            const float u_0 = u[i];
            v[i] = scale_word[0] * u_0;
        }
    }
}

}  // namespace
