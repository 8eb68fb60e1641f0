// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// bin = int(64*u)
// count[b = bin] += 1
// total[b = bin] += w*u
__global__ void __launch_bounds__(64)
sums_by_label_k0(const float *__restrict__ u, const float *__restrict__ w, int *__restrict__ count_new, float *__restrict__ total_pieces, int nx_y_pieces, int nx, int ny, int nb) {
    const int first_piece = (int)blockIdx.x * 2;
    __shared__ __align__(16) int count_lanes[4096];  // words of count, one a lane
    __shared__ __align__(16) float total_pieces_lanes[4096];  // words of total_pieces, one a lane
    const int x_step = 32 % nx;
    const int y_step = 32 / nx;
    {
        const long long first = (long long)(first_piece + (int)threadIdx.x / 32) * 4096;
        const long long behind = (long long)nx * (long long)ny - first;
        const int count_2 = (int)(behind < 4096 ? behind : 4096LL);
        const int lane = (int)threadIdx.x % 32;
        for (int word = lane; word < 2048; word += 32) {
            count_lanes[(int)threadIdx.x / 32 * 2048 + word] = 0;
        }
        for (int word_2 = lane; word_2 < 2048; word_2 += 32) {
            total_pieces_lanes[(int)threadIdx.x / 32 * 2048 + word_2] = 0.0f;
        }
        const long long left = first + lane;
        int x = (int)(left % nx);
        int y = (int)(left / nx);
        #pragma unroll 8
        for (int at = lane; at < count_2; at += 32) {
            const long long i = (long long)y * nx + x;
            const float u_0 = u[i];
            const int bin_0 = __float2int_rz(64.0f * u_0);
            const int b_listed = bin_0;
            const int on_grid = b_listed >= 0 && b_listed < 64 ? 1 : 0;
            const int word_3 = count_lanes[((int)threadIdx.x / 32 * 64 + (on_grid != 0 ? b_listed : 0)) * 32 + lane];
            const int sum = on_grid != 0 ? word_3 + 1 : word_3;
            const int b_listed_2 = bin_0;
            const int on_grid_2 = b_listed_2 >= 0 && b_listed_2 < 64 ? 1 : 0;
            const float word_4 = total_pieces_lanes[((int)threadIdx.x / 32 * 64 + (on_grid_2 != 0 ? b_listed_2 : 0)) * 32 + lane];
            const float w_0 = w[i];
            const float sum_2 = on_grid_2 != 0 ? fmaf(w_0, u_0, word_4) : word_4;
            count_lanes[((int)threadIdx.x / 32 * 64 + (on_grid != 0 ? b_listed : 0)) * 32 + lane] = sum;
            total_pieces_lanes[((int)threadIdx.x / 32 * 64 + (on_grid_2 != 0 ? b_listed_2 : 0)) * 32 + lane] = sum_2;
            x = x + x_step;
            const int x_over = x >= nx ? 1 : 0;
            x = x - x_over * nx;
            y = y + (y_step + x_over);
        }
    }
    __syncthreads();  // the store reads count_lanes, which other threads added to
    {
        int words[32];
        for (int cell = (int)threadIdx.x; cell < 128; cell += 64) {
            if (first_piece + cell / 64 < nx_y_pieces) {
                #pragma unroll 32
                for (int word_of_cell = 0; word_of_cell < 32; ++word_of_cell) {
                    words[word_of_cell] = count_lanes[cell * 32 + (word_of_cell ^ (cell % 32))];
                }
                #pragma unroll 16
                for (int pair = 0; pair < 16; ++pair) {
                    words[pair] = words[pair] + words[pair + 16];
                }
                #pragma unroll 8
                for (int pair_2 = 0; pair_2 < 8; ++pair_2) {
                    words[pair_2] = words[pair_2] + words[pair_2 + 8];
                }
                #pragma unroll 4
                for (int pair_3 = 0; pair_3 < 4; ++pair_3) {
                    words[pair_3] = words[pair_3] + words[pair_3 + 4];
                }
                #pragma unroll 2
                for (int pair_4 = 0; pair_4 < 2; ++pair_4) {
                    words[pair_4] = words[pair_4] + words[pair_4 + 2];
                }
                #pragma unroll 1
                for (int pair_5 = 0; pair_5 < 1; ++pair_5) {
                    words[pair_5] = words[pair_5] + words[pair_5 + 1];
                }
                if (words[0] != 0) {
                    kasc_add(&count_new[cell % 64], words[0]);
                }
            }
        }
        float words_2[32];
        for (int cell_2 = (int)threadIdx.x; cell_2 < 128; cell_2 += 64) {
            if (first_piece + cell_2 / 64 < nx_y_pieces) {
                #pragma unroll 32
                for (int word_of_cell_2 = 0; word_of_cell_2 < 32; ++word_of_cell_2) {
                    words_2[word_of_cell_2] = total_pieces_lanes[cell_2 * 32 + (word_of_cell_2 ^ (cell_2 % 32))];
                }
                #pragma unroll 16
                for (int pair_6 = 0; pair_6 < 16; ++pair_6) {
                    words_2[pair_6] = words_2[pair_6] + words_2[pair_6 + 16];
                }
                #pragma unroll 8
                for (int pair_7 = 0; pair_7 < 8; ++pair_7) {
                    words_2[pair_7] = words_2[pair_7] + words_2[pair_7 + 8];
                }
                #pragma unroll 4
                for (int pair_8 = 0; pair_8 < 4; ++pair_8) {
                    words_2[pair_8] = words_2[pair_8] + words_2[pair_8 + 4];
                }
                #pragma unroll 2
                for (int pair_9 = 0; pair_9 < 2; ++pair_9) {
                    words_2[pair_9] = words_2[pair_9] + words_2[pair_9 + 2];
                }
                #pragma unroll 1
                for (int pair_10 = 0; pair_10 < 1; ++pair_10) {
                    words_2[pair_10] = words_2[pair_10] + words_2[pair_10 + 1];
                }
                total_pieces[(long long)(first_piece + cell_2 / 64) * nb + cell_2 % 64] = words_2[0];
            }
        }
    }
}

// total[b = bin] += w*u
__global__ void __launch_bounds__(256, 4)
sums_by_label_k1(const float *__restrict__ total_pieces, double *__restrict__ total_parts, int nx_y_pieces_part, int nb, int nx_y_pieces) {
    const int group = (int)blockIdx.x % ((nb + 31) / 32);
    const int results_from = group * 32;
    const int x_y_pieces_part = (int)blockIdx.x / ((nb + 31) / 32);
    const long long cells = (long long)nx_y_pieces;
    const long long first = 256LL * x_y_pieces_part;
    const int count = (int)(cells - first < 256 ? cells - first : 256);
    __shared__ __align__(16) double lanes[256];  // what each of 8 lanes has folded
    {
        const int b = results_from + (int)threadIdx.x;
        double folded = 0.0;
        if (b < nb) {
            #pragma unroll 8
            for (int at = (int)threadIdx.y; at < count; at += 8) {
                const long long number = first + at;
                const float total_pieces_0 = total_pieces[number * nb + b];
                const double value = (double)total_pieces_0;
                folded = folded + value;
            }
        }
        lanes[(int)(threadIdx.y * 32 + threadIdx.x)] = folded;
    }
    __syncthreads();  // the join reads lanes, which other threads folded
    {
        if ((int)threadIdx.y < 4) {
            const double own = lanes[(int)(threadIdx.y * 32 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 32 + threadIdx.x) + 128];
            lanes[(int)(threadIdx.y * 32 + threadIdx.x)] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 2) {
            const double own = lanes[(int)(threadIdx.y * 32 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 32 + threadIdx.x) + 64];
            lanes[(int)(threadIdx.y * 32 + threadIdx.x)] = own + other;
        }
    }
    __syncthreads();  // the join reads lanes, which other threads joined
    {
        if ((int)threadIdx.y < 1) {
            const double own = lanes[(int)(threadIdx.y * 32 + threadIdx.x)];
            const double other = lanes[(int)(threadIdx.y * 32 + threadIdx.x) + 32];
            lanes[(int)(threadIdx.y * 32 + threadIdx.x)] = own + other;
        }
    }
    {
        const int b = results_from + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && b < nb) {
            total_parts[(long long)x_y_pieces_part * nb + b] = lanes[(int)(threadIdx.y * 32 + threadIdx.x)];
        }
    }
}

// total[b = bin] += w*u
__global__ void __launch_bounds__(256, 1)
sums_by_label_k2(const double *__restrict__ total_parts, float *__restrict__ total_sums, int nb, int nx_y_pieces_part) {
    const int group = (int)blockIdx.x;
    const int results_from = group * 8;
    const long long cells = (long long)nx_y_pieces_part;
    const long long first = 0LL;
    const int count = (int)cells;
    __shared__ __align__(16) double lanes[256];  // what each of 128 lanes has folded, 4 joined
    {
        const int b = results_from + (int)threadIdx.x;
        double folded[4];
        folded[0] = 0.0;
        folded[1] = 0.0;
        folded[2] = 0.0;
        folded[3] = 0.0;
        if (b < nb) {
            const int whole = count / 1024 * 1024;
            for (int at = (int)threadIdx.y; at < whole; at += 1024) {
                double total_parts_0_ahead[32];
                #pragma unroll 32
                for (int ahead = 0; ahead < 32; ++ahead) {
                    const long long number = first + (at + ahead * 32);
                    total_parts_0_ahead[ahead] = total_parts[number * nb + b];
                }
                #pragma unroll 32
                for (int ahead = 0; ahead < 32; ++ahead) {
                    const double total_parts_0 = total_parts_0_ahead[ahead];
                    const double value = total_parts_0;
                    folded[ahead % 4] = folded[ahead % 4] + value;
                }
            }
            for (int at = (int)threadIdx.y + whole; at < count; at += 128) {
                if (at + 96 < count) {
                    double total_parts_0_ahead[4];
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const long long number = first + (at + ahead * 32);
                        total_parts_0_ahead[ahead] = total_parts[number * nb + b];
                    }
                    #pragma unroll 4
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        const double total_parts_0 = total_parts_0_ahead[ahead];
                        const double value = total_parts_0;
                        folded[ahead] = folded[ahead] + value;
                    }
                } else {
                    #pragma unroll 1
                    for (int ahead = 0; ahead < 4; ++ahead) {
                        if (at + ahead * 32 < count) {
                            const long long number = first + (at + ahead * 32);
                            const double total_parts_0 = total_parts[number * nb + b];
                            const double value = total_parts_0;
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
        const int b = results_from + (int)threadIdx.x;
        if ((int)threadIdx.y == 0 && b < nb) {
            total_sums[b] = (float)lanes[(int)(threadIdx.y * 8 + threadIdx.x)];
        }
    }
}

// total[b = bin] += w*u
__global__ void __launch_bounds__(256)
sums_by_label_k3(const float *__restrict__ total, float *__restrict__ total_new, int nb) {
    const int b = (int)blockIdx.x * 1024 + (int)threadIdx.x * 4;
    if (b < nb) {
        const long long i = b;
        float total_0[4];
        load4(total_0 + 0, total + i);
        float total_sums_0[4];
        load4(total_sums_0 + 0, total_new + i);
        float total_new_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            total_new_0[v] = total_0[v] + total_sums_0[v];
        }
        store4(total_new + i, total_new_0 + 0);
    }
}

// total[b = bin] += w*u
__global__ void __launch_bounds__(256)
sums_by_label_k3_v1(const float *__restrict__ total, float *__restrict__ total_new, int nb) {
    const int b = (int)blockIdx.x * 256 + (int)threadIdx.x;
    if (b < nb) {
        const long long i = b;
        const float total_0 = total[i];
        const float total_sums_0 = total_new[i];
        total_new[i] = total_0 + total_sums_0;
    }
}

}  // namespace
