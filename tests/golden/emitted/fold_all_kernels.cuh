// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// energy_parts = sum(u * u)
__global__ void __launch_bounds__(256)
fold_all_k0(const float *__restrict__ u, double *__restrict__ energy_parts, int nenergy_part, int ny, int nx) {
    const int energy_part = (int)blockIdx.x;
    const long long cells = (long long)nx * (long long)ny;
    const long long share = cells <= 67108864 ? 4096LL : ((cells + 16383) / 16384 + 1023) / 1024 * 1024;
    const long long first = (long long)share * energy_part;
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
            energy_parts[energy_part] = joined[0];
        }
    }
}

// energy = sum(u * u)
__global__ void __launch_bounds__(256)
fold_all_k1(const double *__restrict__ energy_parts, float *__restrict__ energy, int nenergy_part) {
    const long long cells = (long long)nenergy_part;
    const long long first = 0LL;
    const int count = (int)cells;
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
                    const double energy_parts_0 = energy_parts[number];
                    const double value = energy_parts_0;
                    folded[ahead] = folded[ahead] + value;
                }
            } else {
                #pragma unroll 1
                for (int ahead = 0; ahead < 4; ++ahead) {
                    if (at + ahead * 256 < count) {
                        const long long number = first + (at + ahead * 256);
                        const double energy_parts_0 = energy_parts[number];
                        const double value = energy_parts_0;
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
            energy[0] = (float)joined[0];
        }
    }
}

}  // namespace
