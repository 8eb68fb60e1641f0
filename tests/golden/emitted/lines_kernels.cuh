// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// total_maximum_parts = maximum(a, x)
// total_maximum = maximum(a, x)
// total_parts = sum(exp(a - maximum(a, x)), x)
// total = sum(exp(a - maximum(a, x)), x)
// b = weight*exp(a - maximum(a, x))/total
__global__ void __launch_bounds__(256, 4)
lines_k0(const float *__restrict__ a, const float *__restrict__ weight, float *__restrict__ total, float *__restrict__ b, int nx, int ny) {
    const int y = (int)blockIdx.x;
    __shared__ __align__(16) float total_maximum_parts_of_lines[8];  // of a line, 8 parts
    __shared__ __align__(16) double total_parts_of_lines[8];  // of a line, 8 parts
    float total_maximum_word[1];
    float total_word[1];
    float a_held[16];
    float joined[2];
    float joined_2[2];
    double joined_3[2];
    double joined_4[2];
    {
        const int total_maximum_part = (int)threadIdx.y;
        float folded[4];
        folded[0] = NAN;
        folded[1] = NAN;
        folded[2] = NAN;
        folded[3] = NAN;
        if (total_maximum_part < (nx + 511) / 512) {
            const int x_from = total_maximum_part * 512;
            const int count = min(nx - x_from, 512);
            if (count == 512) {
                #pragma unroll 16
                for (int k = 0; k < 16; ++k) {
                    const int x = x_from + ((int)threadIdx.x + k * 32);
                    a_held[k] = a[(long long)y * nx + x];
                }
                #pragma unroll 2
                for (int group_of_cells = 0; group_of_cells < 2; ++group_of_cells) {
                    #pragma unroll 8
                    for (int ahead = 0; ahead < 8; ++ahead) {
                        const float a_0 = a_held[group_of_cells * 8 + ahead];
                        const float value = a_0;
                        folded[(group_of_cells * 8 + ahead) % 4] = value > folded[(group_of_cells * 8 + ahead) % 4] || folded[(group_of_cells * 8 + ahead) % 4] != folded[(group_of_cells * 8 + ahead) % 4] ? value : folded[(group_of_cells * 8 + ahead) % 4];
                    }
                }
            } else {
                #pragma unroll 16
                for (int k = 0; k < 16; ++k) {
                    const bool counts = (int)threadIdx.x + k * 32 < count;
                    const int x = x_from + ((int)threadIdx.x + k * 32);
                    if (counts) {
                        a_held[k] = a[(long long)y * nx + x];
                    } else {
                        a_held[k] = 0.0f;
                    }
                }
                #pragma unroll 4
                for (int group_of_cells = 0; group_of_cells < 4; ++group_of_cells) {
                    if (group_of_cells * 128 + 128 <= count) {
                        #pragma unroll 4
                        for (int ahead = 0; ahead < 4; ++ahead) {
                            const float a_0 = a_held[group_of_cells * 4 + ahead];
                            const float value = a_0;
                            folded[(group_of_cells * 4 + ahead) % 4] = value > folded[(group_of_cells * 4 + ahead) % 4] || folded[(group_of_cells * 4 + ahead) % 4] != folded[(group_of_cells * 4 + ahead) % 4] ? value : folded[(group_of_cells * 4 + ahead) % 4];
                        }
                    } else {
                        if (group_of_cells * 128 < count) {
                            #pragma unroll 4
                            for (int ahead = 0; ahead < 4; ++ahead) {
                                const bool counts = (int)threadIdx.x + (group_of_cells * 4 + ahead) * 32 < count;
                                const float a_0 = a_held[group_of_cells * 4 + ahead];
                                const float value = counts ? a_0 : NAN;
                                folded[(group_of_cells * 4 + ahead) % 4] = value > folded[(group_of_cells * 4 + ahead) % 4] || folded[(group_of_cells * 4 + ahead) % 4] != folded[(group_of_cells * 4 + ahead) % 4] ? value : folded[(group_of_cells * 4 + ahead) % 4];
                            }
                        }
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
        if ((int)threadIdx.x == 0 && (int)threadIdx.y < (nx + 511) / 512) {
            total_maximum_parts_of_lines[(int)threadIdx.y] = joined[0];
        }
    }
    __syncthreads();  // the join of parts reads total_maximum_parts, which other threads left
    {
        float lanes_2[4];
        lanes_2[0] = NAN;
        lanes_2[1] = NAN;
        lanes_2[2] = NAN;
        lanes_2[3] = NAN;
        const int total_maximum_part = (int)threadIdx.x;
        if (total_maximum_part < (nx + 511) / 512) {
            const float total_maximum_parts_0 = total_maximum_parts_of_lines[(int)threadIdx.x];
            const float value_2 = total_maximum_parts_0;
            lanes_2[0] = value_2 > lanes_2[0] || lanes_2[0] != lanes_2[0] ? value_2 : lanes_2[0];
        }
        lanes_2[0] = lanes_2[2] > lanes_2[0] || lanes_2[0] != lanes_2[0] ? lanes_2[2] : lanes_2[0];
        lanes_2[1] = lanes_2[3] > lanes_2[1] || lanes_2[1] != lanes_2[1] ? lanes_2[3] : lanes_2[1];
        lanes_2[0] = lanes_2[1] > lanes_2[0] || lanes_2[0] != lanes_2[0] ? lanes_2[1] : lanes_2[0];
        joined_2[0] = lanes_2[0];
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_sync(0xffffffffu, joined_2[0], 0);
    {
        const float total_maximum_own = joined_2[1];
        total_maximum_word[0] = total_maximum_own;
    }
    {
        const int total_maximum_part = (int)threadIdx.y;
        double folded_3[4];
        folded_3[0] = 0.0;
        folded_3[1] = 0.0;
        folded_3[2] = 0.0;
        folded_3[3] = 0.0;
        if (total_maximum_part < (nx + 511) / 512) {
            const int x_from = total_maximum_part * 512;
            const int count = min(nx - x_from, 512);
            if (count == 512) {
                #pragma unroll 2
                for (int group_of_cells = 0; group_of_cells < 2; ++group_of_cells) {
                    #pragma unroll 8
                    for (int ahead = 0; ahead < 8; ++ahead) {
                        const float a_0 = a_held[group_of_cells * 8 + ahead];
                        const float total_maximum_0 = total_maximum_word[0];
                        const double value_3 = (double)expf(a_0 - total_maximum_0);
                        folded_3[(group_of_cells * 8 + ahead) % 4] = folded_3[(group_of_cells * 8 + ahead) % 4] + value_3;
                    }
                }
            } else {
                #pragma unroll 4
                for (int group_of_cells = 0; group_of_cells < 4; ++group_of_cells) {
                    if (group_of_cells * 128 + 128 <= count) {
                        #pragma unroll 4
                        for (int ahead = 0; ahead < 4; ++ahead) {
                            const float a_0 = a_held[group_of_cells * 4 + ahead];
                            const float total_maximum_0 = total_maximum_word[0];
                            const double value_3 = (double)expf(a_0 - total_maximum_0);
                            folded_3[(group_of_cells * 4 + ahead) % 4] = folded_3[(group_of_cells * 4 + ahead) % 4] + value_3;
                        }
                    } else {
                        if (group_of_cells * 128 < count) {
                            #pragma unroll 4
                            for (int ahead = 0; ahead < 4; ++ahead) {
                                const bool counts = (int)threadIdx.x + (group_of_cells * 4 + ahead) * 32 < count;
                                const float a_0 = a_held[group_of_cells * 4 + ahead];
                                const float total_maximum_0 = total_maximum_word[0];
                                const double own_3 = (double)expf(a_0 - total_maximum_0);
                                const double value_3 = counts ? own_3 : 0.0;
                                folded_3[(group_of_cells * 4 + ahead) % 4] = folded_3[(group_of_cells * 4 + ahead) % 4] + value_3;
                            }
                        }
                    }
                }
            }
        }
        folded_3[0] = folded_3[0] + folded_3[2];
        folded_3[1] = folded_3[1] + folded_3[3];
        folded_3[0] = folded_3[0] + folded_3[1];
        joined_3[0] = folded_3[0];
    }
    joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined_3[0] = joined_3[0] + joined_3[1];
        }
    }
    joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined_3[0] = joined_3[0] + joined_3[1];
        }
    }
    joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined_3[0] = joined_3[0] + joined_3[1];
        }
    }
    joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined_3[0] = joined_3[0] + joined_3[1];
        }
    }
    joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined_3[0] = joined_3[0] + joined_3[1];
        }
    }
    {
        if ((int)threadIdx.x == 0 && (int)threadIdx.y < (nx + 511) / 512) {
            total_parts_of_lines[(int)threadIdx.y] = joined_3[0];
        }
    }
    __syncthreads();  // the join of parts reads total_parts, which other threads left
    {
        double lanes_4[4];
        lanes_4[0] = 0.0;
        lanes_4[1] = 0.0;
        lanes_4[2] = 0.0;
        lanes_4[3] = 0.0;
        const int total_maximum_part = (int)threadIdx.x;
        if (total_maximum_part < (nx + 511) / 512) {
            const double total_parts_0 = total_parts_of_lines[(int)threadIdx.x];
            const double value_4 = total_parts_0;
            lanes_4[0] = lanes_4[0] + value_4;
        }
        lanes_4[0] = lanes_4[0] + lanes_4[2];
        lanes_4[1] = lanes_4[1] + lanes_4[3];
        lanes_4[0] = lanes_4[0] + lanes_4[1];
        joined_4[0] = lanes_4[0];
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_sync(0xffffffffu, joined_4[0], 0);
    {
        const float total_own = (float)joined_4[1];
        total_word[0] = total_own;
        if ((int)threadIdx.x == 0 && (int)threadIdx.y == 0) {
            total[y] = total_own;
        }
    }
    {
        const int total_maximum_part = (int)threadIdx.y;
        if (total_maximum_part < (nx + 511) / 512) {
            const int x_from = total_maximum_part * 512;
            const int count = min(nx - x_from, 512);
            if (count == 512) {
                #pragma unroll 2
                for (int group_of_cells = 0; group_of_cells < 2; ++group_of_cells) {
                    float weight_ahead[8];
                    #pragma unroll 8
                    for (int ahead = 0; ahead < 8; ++ahead) {
                        const int x = x_from + ((int)threadIdx.x + (group_of_cells * 8 + ahead) * 32);
                        weight_ahead[ahead] = weight[x];
                    }
                    #pragma unroll 8
                    for (int ahead = 0; ahead < 8; ++ahead) {
                        const int x = x_from + ((int)threadIdx.x + (group_of_cells * 8 + ahead) * 32);
                        const long long i = (long long)y * nx + x;
                        const float weight_0 = weight_ahead[ahead];
                        const float a_0_2 = a_held[group_of_cells * 8 + ahead];
                        const float total_maximum_0_2 = total_maximum_word[0];
                        const float total_0 = total_word[0];
                        b[i] = weight_0 * expf(a_0_2 - total_maximum_0_2) / total_0;
                    }
                }
            } else {
                #pragma unroll 4
                for (int group_of_cells = 0; group_of_cells < 4; ++group_of_cells) {
                    if (group_of_cells * 128 + 128 <= count) {
                        float weight_ahead[4];
                        #pragma unroll 4
                        for (int ahead = 0; ahead < 4; ++ahead) {
                            const int x = x_from + ((int)threadIdx.x + (group_of_cells * 4 + ahead) * 32);
                            weight_ahead[ahead] = weight[x];
                        }
                        #pragma unroll 4
                        for (int ahead = 0; ahead < 4; ++ahead) {
                            const int x = x_from + ((int)threadIdx.x + (group_of_cells * 4 + ahead) * 32);
                            const long long i = (long long)y * nx + x;
                            const float weight_0 = weight_ahead[ahead];
                            const float a_0_2 = a_held[group_of_cells * 4 + ahead];
                            const float total_maximum_0_2 = total_maximum_word[0];
                            const float total_0 = total_word[0];
                            b[i] = weight_0 * expf(a_0_2 - total_maximum_0_2) / total_0;
                        }
                    } else {
                        if (group_of_cells * 128 < count) {
                            float weight_ahead[4];
                            #pragma unroll 4
                            for (int ahead = 0; ahead < 4; ++ahead) {
                                const bool counts = (int)threadIdx.x + (group_of_cells * 4 + ahead) * 32 < count;
                                const int x = x_from + ((int)threadIdx.x + (group_of_cells * 4 + ahead) * 32);
                                if (counts) {
                                    weight_ahead[ahead] = weight[x];
                                } else {
                                    weight_ahead[ahead] = 0.0f;
                                }
                            }
                            #pragma unroll 4
                            for (int ahead = 0; ahead < 4; ++ahead) {
                                const bool counts = (int)threadIdx.x + (group_of_cells * 4 + ahead) * 32 < count;
                                const int x = x_from + ((int)threadIdx.x + (group_of_cells * 4 + ahead) * 32);
                                const long long i = (long long)y * nx + x;
                                const float weight_0 = weight_ahead[ahead];
                                const float a_0_2 = a_held[group_of_cells * 4 + ahead];
                                const float total_maximum_0_2 = total_maximum_word[0];
                                const float total_0 = total_word[0];
                                const float b_0 = weight_0 * expf(a_0_2 - total_maximum_0_2) / total_0;
                                if (counts) {
                                    b[i] = b_0;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

// total_maximum_parts = maximum(a, x)
// total_maximum = maximum(a, x)
// total_parts = sum(exp(a - maximum(a, x)), x)
// total = sum(exp(a - maximum(a, x)), x)
// b = weight*exp(a - maximum(a, x))/total
__global__ void __launch_bounds__(256, 4)
lines_k0_long(const float *__restrict__ a, const float *__restrict__ weight, float *__restrict__ total, float *__restrict__ b, int ntotal_maximum_part, int nx, int ny) {
    const int y = (int)blockIdx.x;
    __shared__ __align__(16) float total_maximum_parts_in_hand[128];  // of a line, 128 parts at a time
    __shared__ __align__(16) double total_parts_in_hand[128];  // of a line, 128 parts at a time
    float total_maximum_word[1];
    float total_word[1];
    float joined[2];
    float lanes_2[4];
    float joined_2[2];
    double joined_3[2];
    double lanes_4[4];
    double joined_4[2];
    {
        lanes_2[0] = NAN;
        lanes_2[1] = NAN;
        lanes_2[2] = NAN;
        lanes_2[3] = NAN;
    }
    for (int total_maximum_part_from = 0; total_maximum_part_from < ntotal_maximum_part; total_maximum_part_from += 128) {
        __syncthreads();  // the part of a team writes total_maximum_parts, which other threads may still read
        for (int at = total_maximum_part_from; at < min(total_maximum_part_from + 128, ntotal_maximum_part); at += 8) {
            {
                const int total_maximum_part = at + (int)threadIdx.y;
                float folded[4];
                folded[0] = NAN;
                folded[1] = NAN;
                folded[2] = NAN;
                folded[3] = NAN;
                if (total_maximum_part < ntotal_maximum_part) {
                    const int x_from = total_maximum_part * 512;
                    const int count = min(nx - x_from, 512);
                    for (int in_part = (int)threadIdx.x; in_part < count; in_part += 256) {
                        if (in_part - (int)threadIdx.x + 256 <= count) {
                            float a_ahead[8];
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const int x = x_from + (in_part + ahead * 32);
                                a_ahead[ahead] = a[(long long)y * nx + x];
                            }
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const float a_0 = a_ahead[ahead];
                                const float value = a_0;
                                folded[ahead % 4] = value > folded[ahead % 4] || folded[ahead % 4] != folded[ahead % 4] ? value : folded[ahead % 4];
                            }
                        } else {
                            float a_ahead[8];
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const bool counts = in_part + ahead * 32 < count;
                                const int x = x_from + (in_part + ahead * 32);
                                if (counts) {
                                    a_ahead[ahead] = a[(long long)y * nx + x];
                                } else {
                                    a_ahead[ahead] = 0.0f;
                                }
                            }
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const bool counts = in_part + ahead * 32 < count;
                                const float a_0 = a_ahead[ahead];
                                const float value = counts ? a_0 : NAN;
                                folded[ahead % 4] = value > folded[ahead % 4] || folded[ahead % 4] != folded[ahead % 4] ? value : folded[ahead % 4];
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
                if ((int)threadIdx.x == 0 && at + (int)threadIdx.y < ntotal_maximum_part) {
                    total_maximum_parts_in_hand[at - total_maximum_part_from + (int)threadIdx.y] = joined[0];
                }
            }
        }
        __syncthreads();  // the join of parts reads total_maximum_parts, which other threads left
        {
            #pragma unroll 4
            for (int k = 0; k < 4; ++k) {
                const int total_maximum_part = total_maximum_part_from + ((int)threadIdx.x + k * 32);
                if (total_maximum_part < ntotal_maximum_part) {
                    const float total_maximum_parts_0 = total_maximum_parts_in_hand[(int)threadIdx.x + k * 32];
                    const float value_2 = total_maximum_parts_0;
                    lanes_2[k] = value_2 > lanes_2[k] || lanes_2[k] != lanes_2[k] ? value_2 : lanes_2[k];
                }
            }
        }
    }
    {
        lanes_2[0] = lanes_2[2] > lanes_2[0] || lanes_2[0] != lanes_2[0] ? lanes_2[2] : lanes_2[0];
        lanes_2[1] = lanes_2[3] > lanes_2[1] || lanes_2[1] != lanes_2[1] ? lanes_2[3] : lanes_2[1];
        lanes_2[0] = lanes_2[1] > lanes_2[0] || lanes_2[0] != lanes_2[0] ? lanes_2[1] : lanes_2[0];
        joined_2[0] = lanes_2[0];
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_down_sync(0xffffffffu, joined_2[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined_2[0] = joined_2[1] > joined_2[0] || joined_2[0] != joined_2[0] ? joined_2[1] : joined_2[0];
        }
    }
    joined_2[1] = __shfl_sync(0xffffffffu, joined_2[0], 0);
    {
        const float total_maximum_own = joined_2[1];
        total_maximum_word[0] = total_maximum_own;
    }
    {
        lanes_4[0] = 0.0;
        lanes_4[1] = 0.0;
        lanes_4[2] = 0.0;
        lanes_4[3] = 0.0;
    }
    for (int total_maximum_part_from = 0; total_maximum_part_from < ntotal_maximum_part; total_maximum_part_from += 128) {
        __syncthreads();  // the part of a team writes total_parts, which other threads may still read
        for (int at = total_maximum_part_from; at < min(total_maximum_part_from + 128, ntotal_maximum_part); at += 8) {
            {
                const int total_maximum_part = at + (int)threadIdx.y;
                double folded_3[4];
                folded_3[0] = 0.0;
                folded_3[1] = 0.0;
                folded_3[2] = 0.0;
                folded_3[3] = 0.0;
                if (total_maximum_part < ntotal_maximum_part) {
                    const int x_from = total_maximum_part * 512;
                    const int count = min(nx - x_from, 512);
                    for (int in_part = (int)threadIdx.x; in_part < count; in_part += 256) {
                        if (in_part - (int)threadIdx.x + 256 <= count) {
                            float a_ahead[8];
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const int x = x_from + (in_part + ahead * 32);
                                a_ahead[ahead] = a[(long long)y * nx + x];
                            }
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const float a_0 = a_ahead[ahead];
                                const float total_maximum_0 = total_maximum_word[0];
                                const double value_3 = (double)expf(a_0 - total_maximum_0);
                                folded_3[ahead % 4] = folded_3[ahead % 4] + value_3;
                            }
                        } else {
                            float a_ahead[8];
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const bool counts = in_part + ahead * 32 < count;
                                const int x = x_from + (in_part + ahead * 32);
                                if (counts) {
                                    a_ahead[ahead] = a[(long long)y * nx + x];
                                } else {
                                    a_ahead[ahead] = 0.0f;
                                }
                            }
                            #pragma unroll 8
                            for (int ahead = 0; ahead < 8; ++ahead) {
                                const bool counts = in_part + ahead * 32 < count;
                                const float a_0 = a_ahead[ahead];
                                const float total_maximum_0 = total_maximum_word[0];
                                const double own_3 = (double)expf(a_0 - total_maximum_0);
                                const double value_3 = counts ? own_3 : 0.0;
                                folded_3[ahead % 4] = folded_3[ahead % 4] + value_3;
                            }
                        }
                    }
                }
                folded_3[0] = folded_3[0] + folded_3[2];
                folded_3[1] = folded_3[1] + folded_3[3];
                folded_3[0] = folded_3[0] + folded_3[1];
                joined_3[0] = folded_3[0];
            }
            joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 16);
            {
                if ((int)threadIdx.x < 16) {
                    joined_3[0] = joined_3[0] + joined_3[1];
                }
            }
            joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 8);
            {
                if ((int)threadIdx.x < 8) {
                    joined_3[0] = joined_3[0] + joined_3[1];
                }
            }
            joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 4);
            {
                if ((int)threadIdx.x < 4) {
                    joined_3[0] = joined_3[0] + joined_3[1];
                }
            }
            joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 2);
            {
                if ((int)threadIdx.x < 2) {
                    joined_3[0] = joined_3[0] + joined_3[1];
                }
            }
            joined_3[1] = __shfl_down_sync(0xffffffffu, joined_3[0], 1);
            {
                if ((int)threadIdx.x < 1) {
                    joined_3[0] = joined_3[0] + joined_3[1];
                }
            }
            {
                if ((int)threadIdx.x == 0 && at + (int)threadIdx.y < ntotal_maximum_part) {
                    total_parts_in_hand[at - total_maximum_part_from + (int)threadIdx.y] = joined_3[0];
                }
            }
        }
        __syncthreads();  // the join of parts reads total_parts, which other threads left
        {
            #pragma unroll 4
            for (int k = 0; k < 4; ++k) {
                const int total_maximum_part = total_maximum_part_from + ((int)threadIdx.x + k * 32);
                if (total_maximum_part < ntotal_maximum_part) {
                    const double total_parts_0 = total_parts_in_hand[(int)threadIdx.x + k * 32];
                    const double value_4 = total_parts_0;
                    lanes_4[k] = lanes_4[k] + value_4;
                }
            }
        }
    }
    {
        lanes_4[0] = lanes_4[0] + lanes_4[2];
        lanes_4[1] = lanes_4[1] + lanes_4[3];
        lanes_4[0] = lanes_4[0] + lanes_4[1];
        joined_4[0] = lanes_4[0];
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 16);
    {
        if ((int)threadIdx.x < 16) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 8);
    {
        if ((int)threadIdx.x < 8) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 4);
    {
        if ((int)threadIdx.x < 4) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 2);
    {
        if ((int)threadIdx.x < 2) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_down_sync(0xffffffffu, joined_4[0], 1);
    {
        if ((int)threadIdx.x < 1) {
            joined_4[0] = joined_4[0] + joined_4[1];
        }
    }
    joined_4[1] = __shfl_sync(0xffffffffu, joined_4[0], 0);
    {
        const float total_own = (float)joined_4[1];
        total_word[0] = total_own;
        if ((int)threadIdx.x == 0 && (int)threadIdx.y == 0) {
            total[y] = total_own;
        }
    }
    for (int at = 0; at < ntotal_maximum_part; at += 8) {
        {
            const int total_maximum_part = at + (int)threadIdx.y;
            if (total_maximum_part < ntotal_maximum_part) {
                const int x_from = total_maximum_part * 512;
                const int count = min(nx - x_from, 512);
                for (int in_part = (int)threadIdx.x; in_part < count; in_part += 256) {
                    if (in_part - (int)threadIdx.x + 256 <= count) {
                        float a_ahead[8];
                        float weight_ahead[8];
                        #pragma unroll 8
                        for (int ahead = 0; ahead < 8; ++ahead) {
                            const int x = x_from + (in_part + ahead * 32);
                            a_ahead[ahead] = a[(long long)y * nx + x];
                            weight_ahead[ahead] = weight[x];
                        }
                        #pragma unroll 8
                        for (int ahead = 0; ahead < 8; ++ahead) {
                            const int x = x_from + (in_part + ahead * 32);
                            const long long i = (long long)y * nx + x;
                            const float weight_0 = weight_ahead[ahead];
                            const float a_0_2 = a_ahead[ahead];
                            const float total_maximum_0_2 = total_maximum_word[0];
                            const float total_0 = total_word[0];
                            b[i] = weight_0 * expf(a_0_2 - total_maximum_0_2) / total_0;
                        }
                    } else {
                        float a_ahead[8];
                        float weight_ahead[8];
                        #pragma unroll 8
                        for (int ahead = 0; ahead < 8; ++ahead) {
                            const bool counts = in_part + ahead * 32 < count;
                            const int x = x_from + (in_part + ahead * 32);
                            if (counts) {
                                a_ahead[ahead] = a[(long long)y * nx + x];
                                weight_ahead[ahead] = weight[x];
                            } else {
                                a_ahead[ahead] = 0.0f;
                                weight_ahead[ahead] = 0.0f;
                            }
                        }
                        #pragma unroll 8
                        for (int ahead = 0; ahead < 8; ++ahead) {
                            const bool counts = in_part + ahead * 32 < count;
                            const int x = x_from + (in_part + ahead * 32);
                            const long long i = (long long)y * nx + x;
                            const float weight_0 = weight_ahead[ahead];
                            const float a_0_2 = a_ahead[ahead];
                            const float total_maximum_0_2 = total_maximum_word[0];
                            const float total_0 = total_word[0];
                            const float b_0 = weight_0 * expf(a_0_2 - total_maximum_0_2) / total_0;
                            if (counts) {
                                b[i] = b_0;
                            }
                        }
                    }
                }
            }
        }
    }
}

}  // namespace
