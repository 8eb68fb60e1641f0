// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// gradient_sum_parts = sum(X*w, c)
// gradient_sum = sum(X*w, c)
// gradient_parts_of_row = tanh(gradient_sum) - y
// gradient_parts = sum(X*(tanh(sum(X*w, c)) - y), row)
__global__ void __launch_bounds__(128, 8)
across_lines_k0(const float *__restrict__ X, const float *__restrict__ w, const float *__restrict__ y, double *__restrict__ gradient_parts, int nrow, int ngradient_part) {
    const int first_line = (int)blockIdx.x * 256;
    __shared__ __align__(16) double lanes_3[768];  // lanes of 1 parts across lines
    float gradient_parts_of_row_word[1];
    float X_held[3];
    double joined[2];
    double joined_2[2];
    {
        #pragma unroll 3
        for (int k = 0; k < 3; ++k) {
            lanes_3[(int)threadIdx.y * 96 + ((int)threadIdx.x + k * 32)] = 0.0;
            lanes_3[((int)threadIdx.y + 4) * 96 + ((int)threadIdx.x + k * 32)] = 0.0;
        }
    }
    for (int turn = 0; turn < (min(nrow - first_line, 256) + 3) / 4; ++turn) {
        {
            const int line = first_line + turn * 4 + (int)threadIdx.y;
            const int row = line;
            double folded[4];
            folded[0] = 0.0;
            folded[1] = 0.0;
            folded[2] = 0.0;
            folded[3] = 0.0;
            if (line < nrow) {
                #pragma unroll 3
                for (int k = 0; k < 3; ++k) {
                    const int c = (int)threadIdx.x + k * 32;
                    X_held[k] = X[(long long)row * 96 + c];
                }
                float w_ahead[3];
                #pragma unroll 3
                for (int ahead = 0; ahead < 3; ++ahead) {
                    const int c = (int)threadIdx.x + ahead * 32;
                    w_ahead[ahead] = w[c];
                }
                #pragma unroll 3
                for (int ahead = 0; ahead < 3; ++ahead) {
                    const float X_0 = X_held[ahead];
                    const float w_0 = w_ahead[ahead];
                    const double value = (double)(X_0 * w_0);
                    folded[ahead % 4] = folded[ahead % 4] + value;
                }
            }
            folded[0] = folded[0] + folded[2];
            folded[1] = folded[1] + folded[3];
            folded[0] = folded[0] + folded[1];
            joined[0] = folded[0];
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
            double lanes_2[4];
            lanes_2[0] = 0.0;
            lanes_2[1] = 0.0;
            lanes_2[2] = 0.0;
            lanes_2[3] = 0.0;
            const double gradient_sum_parts_0 = joined[0];
            const double value_2 = gradient_sum_parts_0;
            lanes_2[0] = lanes_2[0] + value_2;
            lanes_2[0] = lanes_2[0] + lanes_2[2];
            lanes_2[1] = lanes_2[1] + lanes_2[3];
            lanes_2[0] = lanes_2[0] + lanes_2[1];
            joined_2[0] = lanes_2[0];
        }
        joined_2[1] = __shfl_sync(0xffffffffu, joined_2[0], 0);
        {
            const int line = first_line + turn * 4 + (int)threadIdx.y;
            const int row = line;
            if (line < nrow) {
                const float gradient_sum_own = (float)joined_2[1];
                const float gradient_sum_0 = gradient_sum_own;
                const long long i = row;
                const float y_0 = y[i];
                const float gradient_parts_of_row_0 = tanhf(gradient_sum_0) - y_0;
                const float gradient_parts_of_row_own = gradient_parts_of_row_0;
                gradient_parts_of_row_word[0] = gradient_parts_of_row_own;
            }
        }
        {
            const int line = first_line + turn * 4 + (int)threadIdx.y;
            if (line < nrow) {
                const int in_lanes = (turn % 2 * 4 + (int)threadIdx.y) * 96 + (int)threadIdx.x;
                #pragma unroll 3
                for (int ahead = 0; ahead < 3; ++ahead) {
                    const float X_0 = X_held[ahead];
                    const float gradient_parts_of_row_0_2 = gradient_parts_of_row_word[0];
                    const double value_3 = (double)(X_0 * gradient_parts_of_row_0_2);
                    lanes_3[in_lanes + ahead * 32] = lanes_3[in_lanes + ahead * 32] + value_3;
                }
            }
        }
    }
    __syncthreads();  // the join of lanes across lines reads gradient_parts, which other threads set to nothing
    {
        const int gradient_part = (int)(first_line / 256) + (int)threadIdx.y / 4;
        for (int k = (int)threadIdx.y % 4; k < 3; k += 4) {
            const int c = (int)threadIdx.x + k * 32;
            if (c < 96 && gradient_part < ngradient_part) {
                double folded_3[8];
                folded_3[0] = lanes_3[(int)threadIdx.y / 4 * 8 * 96 + c];
                folded_3[1] = lanes_3[((int)threadIdx.y / 4 * 8 + 1) * 96 + c];
                folded_3[2] = lanes_3[((int)threadIdx.y / 4 * 8 + 2) * 96 + c];
                folded_3[3] = lanes_3[((int)threadIdx.y / 4 * 8 + 3) * 96 + c];
                folded_3[4] = lanes_3[((int)threadIdx.y / 4 * 8 + 4) * 96 + c];
                folded_3[5] = lanes_3[((int)threadIdx.y / 4 * 8 + 5) * 96 + c];
                folded_3[6] = lanes_3[((int)threadIdx.y / 4 * 8 + 6) * 96 + c];
                folded_3[7] = lanes_3[((int)threadIdx.y / 4 * 8 + 7) * 96 + c];
                folded_3[0] = folded_3[0] + folded_3[4];
                folded_3[1] = folded_3[1] + folded_3[5];
                folded_3[2] = folded_3[2] + folded_3[6];
                folded_3[3] = folded_3[3] + folded_3[7];
                folded_3[0] = folded_3[0] + folded_3[2];
                folded_3[1] = folded_3[1] + folded_3[3];
                folded_3[0] = folded_3[0] + folded_3[1];
                gradient_parts[(long long)gradient_part * 96 + c] = folded_3[0];
            }
        }
    }
}

// gradient = sum(X*(tanh(sum(X*w, c)) - y), row)
__global__ void __launch_bounds__(256, 1)
across_lines_k1(const double *__restrict__ gradient_parts, float *__restrict__ gradient, int nc, int ngradient_part) {
    const int group = (int)blockIdx.x;
    const int results_from = group * 8;
    const long long cells = (long long)ngradient_part;
    const long long first = 0LL;
    const int count = (int)cells;
    __shared__ __align__(16) double lanes[256];  // what each of 128 lanes has folded, 4 joined
    {
        const int c = results_from + (int)threadIdx.x;
        double folded[4];
        folded[0] = 0.0;
        folded[1] = 0.0;
        folded[2] = 0.0;
        folded[3] = 0.0;
        if (c < nc) {
            const int whole = count / 1024 * 1024;
            for (int at = (int)threadIdx.y; at < whole; at += 1024) {
                double gradient_parts_0_ahead[32];
                #pragma unroll 32
                for (int ahead = 0; ahead < 32; ++ahead) {
                    const long long number = first + (at + ahead * 32);
                    gradient_parts_0_ahead[ahead] = gradient_parts[number * nc + c];
                }
                #pragma unroll 32
                for (int ahead = 0; ahead < 32; ++ahead) {
                    const double gradient_parts_0 = gradient_parts_0_ahead[ahead];
                    const double value = gradient_parts_0;
                    folded[ahead % 4] = folded[ahead % 4] + value;
                }
            }
            for (int at = (int)threadIdx.y + whole; at < count; at += 128) {
                if (at + 96 < count) {
                    double gradient_parts_0_ahead[4];
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const long long number = first + (at + ahead * 32);
                        gradient_parts_0_ahead[ahead] = gradient_parts[number * nc + c];
                    }
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const double gradient_parts_0 = gradient_parts_0_ahead[ahead];
                        const double value = gradient_parts_0;
                        folded[ahead] = folded[ahead] + value;
                    }
                } else {
                    #pragma unroll 1
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        if (at + ahead * 32 < count) {
                            const long long number = first + (at + ahead * 32);
                            const double gradient_parts_0 = gradient_parts[number * nc + c];
                            const double value = gradient_parts_0;
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
        }
        folded[0] = folded[0] + folded[2];
        folded[1] = folded[1] + folded[3];
        folded[0] = folded[0] + folded[1];
        lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = folded[0];
    }
    __syncthreads();  // the join reads lanes, which other threads folded
    {
        if ((int)threadIdx.y < 16) {
            const double own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 128];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 8) {
            const double own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 64];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 4) {
            const double own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 32];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 2) {
            const double own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 16];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 1) {
            const double own = lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 8 + threadIdx.x) + 8];
            lanes[(int)(threadIdx.y * 8 + threadIdx.x)] = own + other;
        }
    }
    {
        const int c = results_from + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && c < nc) {
            gradient[c] = (float)lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
        }
    }
}

}  // namespace
