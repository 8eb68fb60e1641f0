// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// v = 2*u
// norm_sum_parts = sum(v*v)
// then, by the last block to finish: norm_sum = sum(v*v)
// then, by the last block to finish: norm = sqrt(sum(v*v))
// then, by the last block to finish: inverse = 1/norm
__global__ void __launch_bounds__(256)
last_block_k0(const float *__restrict__ u, float *__restrict__ v, double *__restrict__ norm_sum_parts, float *__restrict__ norm_sum, float *__restrict__ norm, float *__restrict__ inverse, int nnorm_sum_part, int nx, int *__restrict__ finished) {
    const int norm_sum_part = (int)blockIdx.x;
    const long long cells = (long long)nx;
    const long long share = cells <= 67108864 ? 4096LL : ((cells + 16383) / 16384 + 1023) / 1024 * 1024;
    const long long first = (long long)share * norm_sum_part;
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
                    const float v_0 = 2.0f * u_0;
                    const double value = (double)(v_0 * v_0);
                    v[number] = v_0;
                    folded[ahead] = folded[ahead] + value;
                }
            } else {
                #pragma unroll 1
                for (int ahead = 0; ahead < 4; ++ahead) {
                    if (at + ahead * 256 < count) {
                        const long long number = first + (at + ahead * 256);
                        const float u_0 = u[number];
                        const float v_0 = 2.0f * u_0;
                        const double value = (double)(v_0 * v_0);
                        v[number] = v_0;
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
            norm_sum_parts[norm_sum_part] = joined[0];
        }
    }
    __shared__ __align__(16) int last[1];  // whether all other blocks have finished
    // the last block to finish has what all have left: norm_sum = sum(v*v); norm = sqrt(sum(v*v)); inverse = 1/norm
    {
        if ((int)threadIdx.x == 0) {
            last[0] = kasc_is_last(finished, (long long)nnorm_sum_part);
        }
    }
    __syncthreads();  // the last block reads last, which other threads counted
    if (last[0] != 0) {
        const long long cells_2 = (long long)nnorm_sum_part;
        const long long first_2 = 0LL;
        const int count_2 = (int)cells_2;
        __shared__ __align__(16) double lanes_2[256];  // what each of 1024 lanes has folded, 4 joined
        double joined_2[2];
        {
            double folded_2[4];
            folded_2[0] = 0.0;
            folded_2[1] = 0.0;
            folded_2[2] = 0.0;
            folded_2[3] = 0.0;
            for (int at_2 = (int)threadIdx.x; at_2 < count_2; at_2 += 1024) {
                if (at_2 + 768 < count_2) {
                    #pragma unroll 4
                    for (int ahead_2 = 0; ahead_2 < 4; ++ahead_2) {
                        const long long number_2 = first_2 + (at_2 + ahead_2 * 256);
                        const double norm_sum_parts_0 = norm_sum_parts[number_2];
                        const double value_2 = norm_sum_parts_0;
                        folded_2[ahead_2] = folded_2[ahead_2] + value_2;
                    }
                } else {
                    #pragma unroll 1
                    for (int ahead_2 = 0; ahead_2 < 4; ++ahead_2) {
                        if (at_2 + ahead_2 * 256 < count_2) {
                            const long long number_2 = first_2 + (at_2 + ahead_2 * 256);
                            const double norm_sum_parts_0 = norm_sum_parts[number_2];
                            const double value_2 = norm_sum_parts_0;
                            folded_2[0] = folded_2[0] + value_2;
                        }
                        const double own_2 = folded_2[0];
                        folded_2[0] = folded_2[1];
                        folded_2[1] = folded_2[2];
                        folded_2[2] = folded_2[3];
                        folded_2[3] = own_2;
                    }
                }
            }
            folded_2[0] = folded_2[0] + folded_2[2];
            folded_2[1] = folded_2[1] + folded_2[3];
            folded_2[0] = folded_2[0] + folded_2[1];
            lanes_2[(int)threadIdx.x] = folded_2[0];
        }
        __syncthreads();  // the join reads lanes, which other threads folded
        {
            if ((int)threadIdx.x < 128) {
                const double own_2 = lanes_2[(int)threadIdx.x];
                const double other_2 = lanes_2[(int)threadIdx.x + 128];
                lanes_2[(int)threadIdx.x] = own_2 + other_2;
            }
        }
        __syncthreads();  // the join reads lanes, which other threads joined
        {
            if ((int)threadIdx.x < 64) {
                const double own_2 = lanes_2[(int)threadIdx.x];
                const double other_2 = lanes_2[(int)threadIdx.x + 64];
                lanes_2[(int)threadIdx.x] = own_2 + other_2;
            }
        }
        __syncthreads();  // the join reads lanes, which other threads joined
        {
            if ((int)threadIdx.x < 32) {
                const double own_2 = lanes_2[(int)threadIdx.x];
                const double other_2 = lanes_2[(int)threadIdx.x + 32];
                lanes_2[(int)threadIdx.x] = own_2 + other_2;
            }
        }
        {
            joined_2[0] = lanes_2[(int)threadIdx.x];
        }
        joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 16);
        {
            if ((int)threadIdx.x < 16) {
                joined_2[0] = joined_2[0] + joined_2[1];
            }
        }
        joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 8);
        {
            if ((int)threadIdx.x < 8) {
                joined_2[0] = joined_2[0] + joined_2[1];
            }
        }
        joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 4);
        {
            if ((int)threadIdx.x < 4) {
                joined_2[0] = joined_2[0] + joined_2[1];
            }
        }
        joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 2);
        {
            if ((int)threadIdx.x < 2) {
                joined_2[0] = joined_2[0] + joined_2[1];
            }
        }
        joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 1);
        {
            if ((int)threadIdx.x < 1) {
                joined_2[0] = joined_2[0] + joined_2[1];
            }
        }
        {
            if ((int)threadIdx.x == 0) {
                norm_sum[0] = (float)joined_2[0];
            }
        }
        {
            if ((int)threadIdx.x == 0) {
                const float norm_sum_here = norm_sum[0];
                const float norm_0 = sqrtf(norm_sum_here);
                norm[0] = norm_0;
                inverse[0] = 1.0f / norm_0;
            }
        }
    }
}

}  // namespace
