// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n])
// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n])
__global__ void __launch_bounds__(128)
steps_k0(const float *__restrict__ T, const float *__restrict__ q, const float *__restrict__ on, float *__restrict__ T_new, float *__restrict__ T_new_2, int nx, int ny, float dt, int n_2, int c0) {
    const long long plane_cells = (long long)nx;
    const float on_at = on[n_2];
    const float on_at_2 = on[c0];
    const int x_first = (int)blockIdx.x * 124 - 2;
    const int y_first = (int)blockIdx.y * 8;
    const int y_last = min(y_first + 8, ny);
    __shared__ __align__(16) float T_ring[260];  // 2 planes of the block with its halo
    __shared__ __align__(16) float T_ring_2[260];  // 2 planes of the block with its halo
    int in_plane[1];
    float T_queue[3];
    float T_ahead[1];
    float q_queue[2];
    float q_ahead[1];
    float T_queue_2[3];
    int is_inside[1];
    int is_own[1];
    {
        is_inside[0] = 0;
        is_own[0] = 0;
        #pragma unroll
        for (int r = 0; r < 1; ++r) {
            const int column = (int)threadIdx.x + r * 128;
            const int x_at = x_first + column;
            const int x = min(max(x_at, 0), nx - 1);
            in_plane[r] = x;
            is_inside[0] = is_inside[0] | (x >= 1 && x < nx - 1 ? 1 << r : 0);
            is_own[0] = is_own[0] | (column >= 2 && column < 126 && x_at < nx ? 1 << r : 0);
            T_queue[r] = 0.0f;
            T_queue[1 + r] = 0.0f;
            T_queue[2 + r] = 0.0f;
            const int y_ahead = min(max(y_first - 2, 0), ny - 1);
            T_ahead[r] = T[(long long)y_ahead * plane_cells + in_plane[r]];
            q_queue[r] = 0.0f;
            q_queue[1 + r] = 0.0f;
            const int y_ahead_2 = min(max(y_first - 3, 0), ny - 1);
            q_ahead[r] = q[(long long)y_ahead_2 * plane_cells + in_plane[r]];
            T_queue_2[r] = 0.0f;
            T_queue_2[1 + r] = 0.0f;
            T_queue_2[2 + r] = 0.0f;
        }
        is_inside[0] = kasc_kept(is_inside[0]);
        is_own[0] = kasc_kept(is_own[0]);
    }
    {
        for (int w = (int)threadIdx.x; w < 260; w += 128) {
            T_ring[w] = 0.0f;
            T_ring_2[w] = 0.0f;
        }
    }
    for (int plane = y_first - 2; plane < y_last + 2; ++plane) {
        const int slot = (plane - y_first + 2 + 2) % 2 * 130 + 1;
        const int slot_m1 = (plane - y_first + 2 + 1) % 2 * 130 + 1;
        {
            #pragma unroll
            for (int r = 0; r < 1; ++r) {
                T_queue[2 + r] = T_queue[1 + r];
                T_queue[1 + r] = T_queue[r];
                T_queue[r] = T_ahead[r];
                const int y_ahead = min(max(plane + 1, 0), ny - 1);
                T_ahead[r] = T[(long long)y_ahead * plane_cells + in_plane[r]];
                q_queue[1 + r] = q_queue[r];
                q_queue[r] = q_ahead[r];
                const int y_ahead_2 = min(max(plane, 0), ny - 1);
                q_ahead[r] = q[(long long)y_ahead_2 * plane_cells + in_plane[r]];
                T_queue_2[2 + r] = T_queue_2[1 + r];
                T_queue_2[1 + r] = T_queue_2[r];
            }
        }
        __syncthreads();  // the stages reads T_ring, which other threads left
        {
            // T: 1 planes behind
            const int y_of_stage = plane - 1;
            if (y_of_stage >= y_first - 1 && y_of_stage < y_last + 1) {
                const int y = min(max(y_of_stage, 0), ny - 1);
                const int inside = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                #pragma unroll
                for (int r = 0; r < 1; ++r) {
                    const int column = (int)threadIdx.x + r * 128;
                    const int cell = column;
                    const float T_0 = T_queue[1 + r];
                    const float T_xm1 = T_ring[slot_m1 + (cell - 1)];
                    const float T_xp1 = T_ring[slot_m1 + (cell + 1)];
                    const float T_ym1 = T_queue[2 + r];
                    const float T_yp1 = T_queue[r];
                    const float q_0 = q_queue[r];
                    const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                    const float T_new_0 = (inside & (1 << r)) != 0 ? T_new_0_set : T_0;
                    T_queue_2[r] = T_new_0;
                    if ((is_own[0] & (1 << r)) != 0 && y_of_stage >= y_first && y_of_stage < y_last) {
                        T_new[(long long)y * plane_cells + in_plane[r]] = T_new_0;
                    }
                }
            }
            // T: 2 planes behind
            const int y_of_stage_2 = plane - 2;
            if (y_of_stage_2 >= y_first && y_of_stage_2 < y_last) {
                const int y = min(max(y_of_stage_2, 0), ny - 1);
                const int inside_2 = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                #pragma unroll
                for (int r = 0; r < 1; ++r) {
                    const int column = (int)threadIdx.x + r * 128;
                    const int cell = column;
                    const float T_new_0 = T_queue_2[1 + r];
                    const float T_new_xm1 = T_ring_2[slot_m1 + (cell - 1)];
                    const float T_new_xp1 = T_ring_2[slot_m1 + (cell + 1)];
                    const float T_new_ym1 = T_queue_2[2 + r];
                    const float T_new_yp1 = T_queue_2[r];
                    const float q_0 = q_queue[1 + r];
                    const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                    const float T_new_2_0 = (inside_2 & (1 << r)) != 0 ? T_new_2_0_set : T_new_0;
                    if ((is_own[0] & (1 << r)) != 0) {
                        T_new_2[(long long)y * plane_cells + in_plane[r]] = T_new_2_0;
                    }
                }
            }
        }
        {
            #pragma unroll
            for (int r = 0; r < 1; ++r) {
                const int column = (int)threadIdx.x + r * 128;
                const int cell = column;
                T_ring[slot + cell] = T_queue[r];
                T_ring_2[slot + cell] = T_queue_2[r];
            }
        }
    }
}

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n])
// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n])
__global__ void __launch_bounds__(128)
steps_k0_wide(const float *__restrict__ T, const float *__restrict__ q, const float *__restrict__ on, float *__restrict__ T_new, float *__restrict__ T_new_2, int nx, int ny, float dt, int n_2, int c0) {
    const long long plane_cells = (long long)nx;
    const float on_at = on[n_2];
    const float on_at_2 = on[c0];
    const int x_first = (int)blockIdx.x * 124 - 2;
    const int y_first = (int)blockIdx.y * 8;
    const int y_last = min(y_first + 8, ny);
    __shared__ __align__(16) float T_ring[260];  // 2 planes of the block with its halo
    __shared__ __align__(16) float T_ring_2[260];  // 2 planes of the block with its halo
    long long in_plane[1];
    float T_queue[3];
    float T_ahead[1];
    float q_queue[2];
    float q_ahead[1];
    float T_queue_2[3];
    int is_inside[1];
    int is_own[1];
    {
        is_inside[0] = 0;
        is_own[0] = 0;
        #pragma unroll
        for (int r = 0; r < 1; ++r) {
            const int column = (int)threadIdx.x + r * 128;
            const int x_at = x_first + column;
            const int x = min(max(x_at, 0), nx - 1);
            in_plane[r] = (long long)x;
            is_inside[0] = is_inside[0] | (x >= 1 && x < nx - 1 ? 1 << r : 0);
            is_own[0] = is_own[0] | (column >= 2 && column < 126 && x_at < nx ? 1 << r : 0);
            T_queue[r] = 0.0f;
            T_queue[1 + r] = 0.0f;
            T_queue[2 + r] = 0.0f;
            const int y_ahead = min(max(y_first - 2, 0), ny - 1);
            T_ahead[r] = T[(long long)y_ahead * plane_cells + in_plane[r]];
            q_queue[r] = 0.0f;
            q_queue[1 + r] = 0.0f;
            const int y_ahead_2 = min(max(y_first - 3, 0), ny - 1);
            q_ahead[r] = q[(long long)y_ahead_2 * plane_cells + in_plane[r]];
            T_queue_2[r] = 0.0f;
            T_queue_2[1 + r] = 0.0f;
            T_queue_2[2 + r] = 0.0f;
        }
        is_inside[0] = kasc_kept(is_inside[0]);
        is_own[0] = kasc_kept(is_own[0]);
    }
    {
        for (int w = (int)threadIdx.x; w < 260; w += 128) {
            T_ring[w] = 0.0f;
            T_ring_2[w] = 0.0f;
        }
    }
    for (int plane = y_first - 2; plane < y_last + 2; ++plane) {
        const int slot = (plane - y_first + 2 + 2) % 2 * 130 + 1;
        const int slot_m1 = (plane - y_first + 2 + 1) % 2 * 130 + 1;
        {
            #pragma unroll
            for (int r = 0; r < 1; ++r) {
                T_queue[2 + r] = T_queue[1 + r];
                T_queue[1 + r] = T_queue[r];
                T_queue[r] = T_ahead[r];
                const int y_ahead = min(max(plane + 1, 0), ny - 1);
                T_ahead[r] = T[(long long)y_ahead * plane_cells + in_plane[r]];
                q_queue[1 + r] = q_queue[r];
                q_queue[r] = q_ahead[r];
                const int y_ahead_2 = min(max(plane, 0), ny - 1);
                q_ahead[r] = q[(long long)y_ahead_2 * plane_cells + in_plane[r]];
                T_queue_2[2 + r] = T_queue_2[1 + r];
                T_queue_2[1 + r] = T_queue_2[r];
            }
        }
        __syncthreads();  // the stages reads T_ring, which other threads left
        {
            // T: 1 planes behind
            const int y_of_stage = plane - 1;
            if (y_of_stage >= y_first - 1 && y_of_stage < y_last + 1) {
                const int y = min(max(y_of_stage, 0), ny - 1);
                const int inside = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                #pragma unroll
                for (int r = 0; r < 1; ++r) {
                    const int column = (int)threadIdx.x + r * 128;
                    const int cell = column;
                    const float T_0 = T_queue[1 + r];
                    const float T_xm1 = T_ring[slot_m1 + (cell - 1)];
                    const float T_xp1 = T_ring[slot_m1 + (cell + 1)];
                    const float T_ym1 = T_queue[2 + r];
                    const float T_yp1 = T_queue[r];
                    const float q_0 = q_queue[r];
                    const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                    const float T_new_0 = (inside & (1 << r)) != 0 ? T_new_0_set : T_0;
                    T_queue_2[r] = T_new_0;
                    if ((is_own[0] & (1 << r)) != 0 && y_of_stage >= y_first && y_of_stage < y_last) {
                        T_new[(long long)y * plane_cells + in_plane[r]] = T_new_0;
                    }
                }
            }
            // T: 2 planes behind
            const int y_of_stage_2 = plane - 2;
            if (y_of_stage_2 >= y_first && y_of_stage_2 < y_last) {
                const int y = min(max(y_of_stage_2, 0), ny - 1);
                const int inside_2 = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                #pragma unroll
                for (int r = 0; r < 1; ++r) {
                    const int column = (int)threadIdx.x + r * 128;
                    const int cell = column;
                    const float T_new_0 = T_queue_2[1 + r];
                    const float T_new_xm1 = T_ring_2[slot_m1 + (cell - 1)];
                    const float T_new_xp1 = T_ring_2[slot_m1 + (cell + 1)];
                    const float T_new_ym1 = T_queue_2[2 + r];
                    const float T_new_yp1 = T_queue_2[r];
                    const float q_0 = q_queue[1 + r];
                    const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                    const float T_new_2_0 = (inside_2 & (1 << r)) != 0 ? T_new_2_0_set : T_new_0;
                    if ((is_own[0] & (1 << r)) != 0) {
                        T_new_2[(long long)y * plane_cells + in_plane[r]] = T_new_2_0;
                    }
                }
            }
        }
        {
            #pragma unroll
            for (int r = 0; r < 1; ++r) {
                const int column = (int)threadIdx.x + r * 128;
                const int cell = column;
                T_ring[slot + cell] = T_queue[r];
                T_ring_2[slot + cell] = T_queue_2[r];
            }
        }
    }
}

// movie[t = n] = T
__global__ void __launch_bounds__(256)
steps_k1(const float *__restrict__ T, float *__restrict__ movie, int nx, int ny, int n_2) {
    const int x = (int)blockIdx.x * 128 + (int)threadIdx.x * 4;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_movie = ((long long)n_2 * ny + y) * nx + x;
        const long long i = (long long)y * nx + x;
        float T_0[4];
        load4(T_0 + 0, T + i);
        float movie_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            movie_0[v] = T_0[v];
        }
        store4(movie + i_movie, movie_0 + 0);
    }
}

// movie[t = n] = T
__global__ void __launch_bounds__(256)
steps_k1_v1(const float *__restrict__ T, float *__restrict__ movie, int nx, int ny, int n_2) {
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_movie = ((long long)n_2 * ny + y) * nx + x;
        const long long i = (long long)y * nx + x;
        const float T_0 = T[i];
        movie[i_movie] = T_0;
    }
}

// movie[t = n] = T
__global__ void __launch_bounds__(256)
steps_k2(const float *__restrict__ T, float *__restrict__ movie_new, int nx, int ny, int c0) {
    const int x = (int)blockIdx.x * 128 + (int)threadIdx.x * 4;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_movie = ((long long)c0 * ny + y) * nx + x;
        const long long i = (long long)y * nx + x;
        float T_0[4];
        load4(T_0 + 0, T + i);
        float movie_new_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            movie_new_0[v] = T_0[v];
        }
        store4(movie_new + i_movie, movie_new_0 + 0);
    }
}

// movie[t = n] = T
__global__ void __launch_bounds__(256)
steps_k2_v1(const float *__restrict__ T, float *__restrict__ movie_new, int nx, int ny, int c0) {
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_movie = ((long long)c0 * ny + y) * nx + x;
        const long long i = (long long)y * nx + x;
        const float T_0 = T[i];
        movie_new[i_movie] = T_0;
    }
}

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n])
__global__ void __launch_bounds__(256)
steps_k3(const float *__restrict__ T, const float *__restrict__ q, const float *__restrict__ on, float *__restrict__ T_new, int nx, int ny, float dt, int n) {
    const float on_at = on[n];
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1) {
        const long long i = (long long)y * nx + x;
        const float T_0 = T[i];
        const float T_xm1 = T[i - 1];
        const float T_xp1 = T[i + 1];
        const float T_ym1 = T[i - nx];
        const float T_yp1 = T[i + nx];
        const float q_0 = q[i];
        T_new[i] = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
    }
}

// movie[t = n] = T
__global__ void __launch_bounds__(256)
steps_k4(const float *__restrict__ T, float *__restrict__ movie_new, int nx, int ny, int n) {
    const int x = (int)blockIdx.x * 128 + (int)threadIdx.x * 4;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_movie = ((long long)n * ny + y) * nx + x;
        const long long i = (long long)y * nx + x;
        float T_0[4];
        load4(T_0 + 0, T + i);
        float movie_new_0[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            movie_new_0[v] = T_0[v];
        }
        store4(movie_new + i_movie, movie_new_0 + 0);
    }
}

// movie[t = n] = T
__global__ void __launch_bounds__(256)
steps_k4_v1(const float *__restrict__ T, float *__restrict__ movie_new, int nx, int ny, int n) {
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (x < nx && y < ny) {
        const long long i_movie = ((long long)n * ny + y) * nx + x;
        const long long i = (long long)y * nx + x;
        const float T_0 = T[i];
        movie_new[i_movie] = T_0;
    }
}

}  // namespace
