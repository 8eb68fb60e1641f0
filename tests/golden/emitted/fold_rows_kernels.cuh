// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// highest_parts = maximum(u, x)
__global__ void __launch_bounds__(256)
fold_rows_k0(const float *__restrict__ u, float *__restrict__ highest_parts, int nhighest_part, int ny, int nx) {
    const int highest_part = (int)blockIdx.x % nhighest_part;
    const int group = (int)blockIdx.x / nhighest_part;
    const int results_from = group * 8;
    const long long cells = (long long)nx;
    const long long first = 512LL * highest_part;
    const int count = (int)(cells - first < 512 ? cells - first : 512);
    float joined[2];
    {
        const int y = results_from + (int)threadIdx.y;
        float folded[4];
        folded[0] = NAN;
        folded[1] = NAN;
        folded[2] = NAN;
        folded[3] = NAN;
        if (y < ny) {
            #pragma unroll 2
            for (int at = (int)threadIdx.x; at < count; at += 128) {
                if (at + 96 < count) {
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const long long number = first + (at + ahead * 32);
                        const float u_0 = u[(long long)y * (long long)nx + number];
                        const float value = u_0;
                        folded[ahead] = value > folded[ahead] || folded[ahead] != folded[ahead] ? value : folded[ahead];
                    }
                } else {
                    #pragma unroll 1
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        if (at + ahead * 32 < count) {
                            const long long number = first + (at + ahead * 32);
                            const float u_0 = u[(long long)y * (long long)nx + number];
                            const float value = u_0;
                            folded[0] = value > folded[0] || folded[0] != folded[0] ? value : folded[0];
                        }
                        const float own = folded[0];
                        folded[0] = folded[1];
                        folded[1] = folded[2];
                        folded[2] = folded[3];
                        folded[3] = own;
                    }
                }
            }
        }
        folded[0] = folded[2] > folded[0] || folded[0] != folded[0] ? folded[2] : folded[0];
        folded[1] = folded[3] > folded[1] || folded[1] != folded[1] ? folded[3] : folded[1];
        folded[0] = folded[1] > folded[0] || folded[0] != folded[0] ? folded[1] : folded[0];
        joined[0] = folded[0];
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined[0] = joined[1] > joined[0] || joined[0] != joined[0] ? joined[1] : joined[0];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined[0] = joined[1] > joined[0] || joined[0] != joined[0] ? joined[1] : joined[0];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined[0] = joined[1] > joined[0] || joined[0] != joined[0] ? joined[1] : joined[0];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined[0] = joined[1] > joined[0] || joined[0] != joined[0] ? joined[1] : joined[0];
        }
    }
    joined[1] = __shfl_down_sync(0xffffffffu, joined[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined[0] = joined[1] > joined[0] || joined[0] != joined[0] ? joined[1] : joined[0];
        }
    }
    {
        const int y = results_from + (int)threadIdx.y;
        if ((int)threadIdx.x == 0 && y < ny) {
            highest_parts[(long long)highest_part * ny + y] = joined[0];
        }
    }
}

// highest = maximum(u, x)
__global__ void __launch_bounds__(256, 1)
fold_rows_k1(const float *__restrict__ highest_parts, float *__restrict__ highest, int ny, int nhighest_part) {
    const int group = (int)blockIdx.x;
    const int results_from = group * 8;
    const long long cells = (long long)nhighest_part;
    const long long first = 0LL;
    const int count = (int)cells;
    __shared__ __align__(16) float lanes[256];  // what each of 128 lanes has folded, 4 joined
    {
        const int y = results_from + (int)threadIdx.x;
        float folded[4];
        folded[0] = NAN;
        folded[1] = NAN;
        folded[2] = NAN;
        folded[3] = NAN;
        if (y < ny) {
            const int whole = count / 1024 * 1024;
            for (int at = (int)threadIdx.y; at < whole; at += 1024) {
                float highest_parts_0_ahead[32];
                #pragma unroll 32
                for (int ahead = 0; ahead < 32; ++ahead) {
                    const long long number = first + (at + ahead * 32);
                    highest_parts_0_ahead[ahead] = highest_parts[number * ny + y];
                }
                #pragma unroll 32
                for (int ahead = 0; ahead < 32; ++ahead) {
                    const float highest_parts_0 = highest_parts_0_ahead[ahead];
                    const float value = highest_parts_0;
                    folded[ahead % 4] = value > folded[ahead % 4] || folded[ahead % 4] != folded[ahead % 4] ? value : folded[ahead % 4];
                }
            }
            for (int at = (int)threadIdx.y + whole; at < count; at += 128) {
                if (at + 96 < count) {
                    float highest_parts_0_ahead[4];
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const long long number = first + (at + ahead * 32);
                        highest_parts_0_ahead[ahead] = highest_parts[number * ny + y];
                    }
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const float highest_parts_0 = highest_parts_0_ahead[ahead];
                        const float value = highest_parts_0;
                        folded[ahead] = value > folded[ahead] || folded[ahead] != folded[ahead] ? value : folded[ahead];
                    }
                } else {
                    #pragma unroll 1
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        if (at + ahead * 32 < count) {
                            const long long number = first + (at + ahead * 32);
                            const float highest_parts_0 = highest_parts[number * ny + y];
                            const float value = highest_parts_0;
                            folded[0] = value > folded[0] || folded[0] != folded[0] ? value : folded[0];
                        }
                        const float own = folded[0];
                        folded[0] = folded[1];
                        folded[1] = folded[2];
                        folded[2] = folded[3];
                        folded[3] = own;
                    }
                }
            }
        }
        folded[0] = folded[2] > folded[0] || folded[0] != folded[0] ? folded[2] : folded[0];
        folded[1] = folded[3] > folded[1] || folded[1] != folded[1] ? folded[3] : folded[1];
        folded[0] = folded[1] > folded[0] || folded[0] != folded[0] ? folded[1] : folded[0];
        lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = folded[0];
    }
    __syncthreads();  // the join reads lanes, which other threads folded
    {
        if ((int)threadIdx.y < 16) {
            const float own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const float other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 128];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = other > own || own != own ? other : own;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 8) {
            const float own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const float other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 64];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = other > own || own != own ? other : own;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 4) {
            const float own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const float other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 32];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = other > own || own != own ? other : own;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 2) {
            const float own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const float other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 16];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = other > own || own != own ? other : own;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 1) {
            const float own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const float other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 8];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = other > own || own != own ? other : own;
        }
    }
    {
        const int y = results_from + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && y < ny) {
            highest[y] = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
        }
    }
}

}  // namespace
