// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"

namespace {

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n]) (2 times)
__global__ void __launch_bounds__(128)
steps_k0(const float *__restrict__ T, const float *__restrict__ q, const float *__restrict__ on, float *__restrict__ T_new, float *__restrict__ T_new_2, int nx, int ny, float dt, int n_2, int c0) {
    const int plane_cells = nx;
    const float on_at = on[n_2];
    const float on_at_2 = on[c0];
    const int x_first = (int)blockIdx.x * 504 - 4;
    const int y_first = (int)blockIdx.y * 8;
    const int y_last = min(y_first + 8, ny);
    const int is_inside_block = kasc_kept(x_first >= 1 && x_first + 513 <= nx);
    const int steady_first = max(y_first + 2, 3);
    const int steady_last = min(y_last + 2, ny);
    __shared__ __align__(16) float T_ring[2600];  // 5 planes of the block with its halo
    __shared__ __align__(16) float q_ring[2560];  // 5 planes of the block with its halo
    __shared__ __align__(16) float T_ring_2[1040];  // 2 planes of the block with its halo
    int in_plane[1];
    float T_queue[12];
    float T_queue_2[12];
    float T_row[6];
    float q_row[4];
    int is_own[1];
    float q_row_2[4];
    float T_row_2[6];
    int is_inside[1];
    {
        is_own[0] = 0;
        is_inside[0] = 0;
        const int first_column = (int)threadIdx.x * 4;
        in_plane[0] = kasc_kept(max(min(x_first + first_column, nx - 4), 0));
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            const int column = first_column + v;
            const int x_at = x_first + column;
            const int x = min(max(x_at, 0), nx - 1);
            is_own[0] = is_own[0] | (column >= 4 && column < 508 && x_at < nx ? 1 << v : 0);
            is_inside[0] = is_inside[0] | (x >= 1 && x < nx - 1 ? 1 << v : 0);
            T_queue[v] = 0.0f;
            T_queue[4 + v] = 0.0f;
            T_queue[8 + v] = 0.0f;
            T_queue_2[v] = 0.0f;
            T_queue_2[4 + v] = 0.0f;
            T_queue_2[8 + v] = 0.0f;
        }
        is_own[0] = kasc_kept(is_own[0]);
        is_inside[0] = kasc_kept(is_inside[0]);
    }
    {
        for (int w = (int)threadIdx.x; w < 1040; w += 128) {
            T_ring_2[w] = 0.0f;
        }
        for (int w = (int)threadIdx.x; w < 2560; w += 128) {
            q_ring[w] = 0.0f;
        }
        for (int w = (int)threadIdx.x; w < 2600; w += 128) {
            T_ring[w] = 0.0f;
        }
    }
    __syncthreads();  // the first planes writes T_ring, which other threads may still write
    {
        if ((int)threadIdx.x >= 0) {
            const int y_ahead = min(max(y_first - 2, 0), ny - 1);
            const int row_at = y_ahead * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
            fetch<4>(T_ring + 4 + (int)threadIdx.x * 4, T + row_at);
            const int y_ahead_2 = min(max(y_first - 2 - 1, 0), ny - 1);
            const int row_at_2 = y_ahead_2 * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
            fetch<4>(q_ring + (int)threadIdx.x * 4, q + row_at_2);
        }
    }
    commit_copies();
    {
        if ((int)threadIdx.x >= 0) {
            const int y_ahead = min(max(y_first - 1, 0), ny - 1);
            const int row_at = y_ahead * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
            fetch<4>(T_ring + 524 + (int)threadIdx.x * 4, T + row_at);
            const int y_ahead_2 = min(max(y_first - 1 - 1, 0), ny - 1);
            const int row_at_2 = y_ahead_2 * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
            fetch<4>(q_ring + 512 + (int)threadIdx.x * 4, q + row_at_2);
        }
    }
    commit_copies();
    {
        if ((int)threadIdx.x >= 0) {
            const int y_ahead = min(max(y_first, 0), ny - 1);
            const int row_at = y_ahead * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
            fetch<4>(T_ring + 1044 + (int)threadIdx.x * 4, T + row_at);
            const int y_ahead_2 = min(max(y_first - 1, 0), ny - 1);
            const int row_at_2 = y_ahead_2 * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
            fetch<4>(q_ring + 1024 + (int)threadIdx.x * 4, q + row_at_2);
        }
    }
    commit_copies();
    await_copies<2>();
    __syncthreads();  // the next planes reads T_ring, which other threads fetched
    for (int turn = 0; turn < y_last - y_first + 4; ++turn) {
        const int plane = y_first - 2 + turn;
        const int slot_next = (turn + 3) % 5 * 520 + 4;
        const int slot = turn % 5 * 520 + 4;
        const int slot_m1 = (turn + 4) % 5 * 520 + 4;
        const int slot_next_2 = (turn + 3) % 5 * 512;
        const int slot_2 = turn % 5 * 512;
        const int slot_m1_2 = (turn + 4) % 5 * 512;
        const int slot_3 = turn % 2 * 520 + 4;
        const int slot_m1_3 = (turn + 1) % 2 * 520 + 4;
        {
            const int first_column = (int)threadIdx.x * 4;
            const int first_cell = first_column;
            #pragma unroll
            for (int v = 0; v < 4; ++v) {
                T_queue[8 + v] = T_queue[4 + v];
                T_queue[4 + v] = T_queue[v];
                T_queue_2[8 + v] = T_queue_2[4 + v];
                T_queue_2[4 + v] = T_queue_2[v];
            }
            load4(T_queue + 0, T_ring + slot + first_cell);
        }
        await_copies<1>();
        __syncthreads();  // the fetched planes writes T_ring, which other threads may still read
        {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(plane + 3, 0), ny - 1);
                const int row_at = y_ahead * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(T_ring + slot_next + (int)threadIdx.x * 4, T + row_at);
                const int y_ahead_2 = min(max(plane + 3 - 1, 0), ny - 1);
                const int row_at_2 = y_ahead_2 * plane_cells + max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(q_ring + slot_next_2 + (int)threadIdx.x * 4, q + row_at_2);
            }
        }
        commit_copies();
        if (plane >= steady_first && plane < steady_last) {
            if (is_inside_block != 0) {
                // T: 1 planes behind
                const int y_of_stage = plane - 1;
                {
                    const int y = y_of_stage;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    float T_stored[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0 = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        T_queue_2[v] = T_new_0;
                        T_stored[v] = T_new_0;
                    }
                    const int row_at_3 = y * plane_cells + in_plane[0];
                    if ((is_own[0] & (1 << 0)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                        store4(T_new + row_at_3, T_stored + 0);
                    }
                }
                // T: 2 planes behind
                const int y_of_stage_2 = plane - 2;
                {
                    const int y = y_of_stage_2;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    float T_stored_2[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0 = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        T_stored_2[v] = T_new_2_0;
                    }
                    const int row_at_4 = y * plane_cells + in_plane[0];
                    if ((is_own[0] & (1 << 0)) != 0) {
                        store4(T_new_2 + row_at_4, T_stored_2 + 0);
                    }
                }
            } else {
                // T: 1 planes behind
                const int y_of_stage = plane - 1;
                {
                    const int y = y_of_stage;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    float T_stored[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        const float T_new_0 = (is_inside[0] & (1 << v)) != 0 ? T_new_0_set : T_0;
                        T_queue_2[v] = T_new_0;
                        T_stored[v] = T_new_0;
                    }
                    const int row_at_3 = y * plane_cells + in_plane[0];
                    if ((is_own[0] & (1 << 0)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                        store4(T_new + row_at_3, T_stored + 0);
                    }
                }
                // T: 2 planes behind
                const int y_of_stage_2 = plane - 2;
                {
                    const int y = y_of_stage_2;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    float T_stored_2[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        const float T_new_2_0 = (is_inside[0] & (1 << v)) != 0 ? T_new_2_0_set : T_new_0;
                        T_stored_2[v] = T_new_2_0;
                    }
                    const int row_at_4 = y * plane_cells + in_plane[0];
                    if ((is_own[0] & (1 << 0)) != 0) {
                        store4(T_new_2 + row_at_4, T_stored_2 + 0);
                    }
                }
            }
        } else {
            // T: 1 planes behind
            const int y_of_stage = plane - 1;
            if (y_of_stage >= y_first - 1 && y_of_stage < y_last + 1) {
                {
                    const int y = min(max(y_of_stage, 0), ny - 1);
                    const int inside = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const int column = first_column + v;
                        const int x_at = x_first + column;
                        const int x = min(max(x_at, 0), nx - 1);
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        const float T_new_0 = (inside & (1 << v)) != 0 ? T_new_0_set : T_0;
                        T_queue_2[v] = T_new_0;
                        if ((is_own[0] & (1 << v)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                            T_new[y * plane_cells + x] = T_new_0;
                        }
                    }
                }
            }
            // T: 2 planes behind
            const int y_of_stage_2 = plane - 2;
            if (y_of_stage_2 >= y_first && y_of_stage_2 < y_last) {
                {
                    const int y = min(max(y_of_stage_2, 0), ny - 1);
                    const int inside_2 = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const int column = first_column + v;
                        const int x_at = x_first + column;
                        const int x = min(max(x_at, 0), nx - 1);
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        const float T_new_2_0 = (inside_2 & (1 << v)) != 0 ? T_new_2_0_set : T_new_0;
                        if ((is_own[0] & (1 << v)) != 0) {
                            T_new_2[y * plane_cells + x] = T_new_2_0;
                        }
                    }
                }
            }
        }
        {
            const int first_column = (int)threadIdx.x * 4;
            const int first_cell = first_column;
            store4(T_ring_2 + slot_3 + first_cell, T_queue_2 + 0);
        }
    }
}

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n]) (2 times)
// Where rows are no multiple of 4 cells.
__global__ void __launch_bounds__(128)
steps_k0_parted(const float *__restrict__ T, const float *__restrict__ q, const float *__restrict__ on, float *__restrict__ T_new, float *__restrict__ T_new_2, int nx, int ny, float dt, int n_2, int c0) {
    const int plane_cells = nx;
    const float on_at = on[n_2];
    const float on_at_2 = on[c0];
    const int x_first = (int)blockIdx.x * 504 - 4;
    const int y_first = (int)blockIdx.y * 8;
    const int y_last = min(y_first + 8, ny);
    const int is_inside_block = kasc_kept(x_first >= 1 && x_first + 513 <= nx);
    const int steady_first = max(y_first + 2, 3);
    const int steady_last = min(y_last + 2, ny);
    __shared__ __align__(16) float T_ring[2600];  // 5 planes of the block with its halo
    __shared__ __align__(16) float q_ring[2560];  // 5 planes of the block with its halo
    __shared__ __align__(16) float T_ring_2[1040];  // 2 planes of the block with its halo
    int in_plane[1];
    float T_queue[12];
    float T_queue_2[12];
    float T_row[6];
    float q_row[4];
    int is_own[1];
    float q_row_2[4];
    float T_row_2[6];
    int is_inside[1];
    {
        is_own[0] = 0;
        is_inside[0] = 0;
        const int first_column = (int)threadIdx.x * 4;
        in_plane[0] = kasc_kept(min(max(x_first + first_column, 0), nx - 1));
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            const int column = first_column + v;
            const int x_at = x_first + column;
            const int x = min(max(x_at, 0), nx - 1);
            is_own[0] = is_own[0] | (column >= 4 && column < 508 && x_at < nx ? 1 << v : 0);
            is_inside[0] = is_inside[0] | (x >= 1 && x < nx - 1 ? 1 << v : 0);
            T_queue[v] = 0.0f;
            T_queue[4 + v] = 0.0f;
            T_queue[8 + v] = 0.0f;
            T_queue_2[v] = 0.0f;
            T_queue_2[4 + v] = 0.0f;
            T_queue_2[8 + v] = 0.0f;
        }
        is_own[0] = kasc_kept(is_own[0]);
        is_inside[0] = kasc_kept(is_inside[0]);
    }
    {
        for (int w = (int)threadIdx.x; w < 1040; w += 128) {
            T_ring_2[w] = 0.0f;
        }
        for (int w = (int)threadIdx.x; w < 2560; w += 128) {
            q_ring[w] = 0.0f;
        }
        for (int w = (int)threadIdx.x; w < 2600; w += 128) {
            T_ring[w] = 0.0f;
        }
    }
    __syncthreads();  // the first planes writes T_ring, which other threads may still write
    {
        if ((int)threadIdx.x >= 0) {
            const int y_ahead = min(max(y_first - 2, 0), ny - 1);
            const int row_at = y_ahead * plane_cells + (x_first + (int)threadIdx.x);
            const int y_ahead_2 = min(max(y_first - 2 - 1, 0), ny - 1);
            const int row_at_2 = y_ahead_2 * plane_cells + (x_first + (int)threadIdx.x);
            #pragma unroll
            for (int v_2 = 0; v_2 < 4; ++v_2) {
                if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                    fetch(T_ring + 4 + ((int)threadIdx.x + v_2 * 128), T + row_at + v_2 * 128);
                    fetch(q_ring + (int)threadIdx.x + v_2 * 128, q + row_at_2 + v_2 * 128);
                }
            }
        }
    }
    commit_copies();
    {
        if ((int)threadIdx.x >= 0) {
            const int y_ahead = min(max(y_first - 1, 0), ny - 1);
            const int row_at = y_ahead * plane_cells + (x_first + (int)threadIdx.x);
            const int y_ahead_2 = min(max(y_first - 1 - 1, 0), ny - 1);
            const int row_at_2 = y_ahead_2 * plane_cells + (x_first + (int)threadIdx.x);
            #pragma unroll
            for (int v_2 = 0; v_2 < 4; ++v_2) {
                if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                    fetch(T_ring + 524 + ((int)threadIdx.x + v_2 * 128), T + row_at + v_2 * 128);
                    fetch(q_ring + 512 + ((int)threadIdx.x + v_2 * 128), q + row_at_2 + v_2 * 128);
                }
            }
        }
    }
    commit_copies();
    {
        if ((int)threadIdx.x >= 0) {
            const int y_ahead = min(max(y_first, 0), ny - 1);
            const int row_at = y_ahead * plane_cells + (x_first + (int)threadIdx.x);
            const int y_ahead_2 = min(max(y_first - 1, 0), ny - 1);
            const int row_at_2 = y_ahead_2 * plane_cells + (x_first + (int)threadIdx.x);
            #pragma unroll
            for (int v_2 = 0; v_2 < 4; ++v_2) {
                if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                    fetch(T_ring + 1044 + ((int)threadIdx.x + v_2 * 128), T + row_at + v_2 * 128);
                    fetch(q_ring + 1024 + ((int)threadIdx.x + v_2 * 128), q + row_at_2 + v_2 * 128);
                }
            }
        }
    }
    commit_copies();
    await_copies<2>();
    __syncthreads();  // the next planes reads T_ring, which other threads fetched
    for (int turn = 0; turn < y_last - y_first + 4; ++turn) {
        const int plane = y_first - 2 + turn;
        const int slot_next = (turn + 3) % 5 * 520 + 4;
        const int slot = turn % 5 * 520 + 4;
        const int slot_m1 = (turn + 4) % 5 * 520 + 4;
        const int slot_next_2 = (turn + 3) % 5 * 512;
        const int slot_2 = turn % 5 * 512;
        const int slot_m1_2 = (turn + 4) % 5 * 512;
        const int slot_3 = turn % 2 * 520 + 4;
        const int slot_m1_3 = (turn + 1) % 2 * 520 + 4;
        {
            const int first_column = (int)threadIdx.x * 4;
            const int first_cell = first_column;
            #pragma unroll
            for (int v = 0; v < 4; ++v) {
                T_queue[8 + v] = T_queue[4 + v];
                T_queue[4 + v] = T_queue[v];
                T_queue_2[8 + v] = T_queue_2[4 + v];
                T_queue_2[4 + v] = T_queue_2[v];
            }
            load4(T_queue + 0, T_ring + slot + first_cell);
        }
        await_copies<1>();
        __syncthreads();  // the fetched planes writes T_ring, which other threads may still read
        {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(plane + 3, 0), ny - 1);
                const int row_at = y_ahead * plane_cells + (x_first + (int)threadIdx.x);
                const int y_ahead_2 = min(max(plane + 3 - 1, 0), ny - 1);
                const int row_at_2 = y_ahead_2 * plane_cells + (x_first + (int)threadIdx.x);
                #pragma unroll
                for (int v_2 = 0; v_2 < 4; ++v_2) {
                    if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                        fetch(T_ring + slot_next + ((int)threadIdx.x + v_2 * 128), T + row_at + v_2 * 128);
                        fetch(q_ring + slot_next_2 + ((int)threadIdx.x + v_2 * 128), q + row_at_2 + v_2 * 128);
                    }
                }
            }
        }
        commit_copies();
        if (plane >= steady_first && plane < steady_last) {
            if (is_inside_block != 0) {
                // T: 1 planes behind
                const int y_of_stage = plane - 1;
                {
                    const int y = y_of_stage;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    float T_stored[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0 = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        T_queue_2[v] = T_new_0;
                        T_stored[v] = T_new_0;
                    }
                    const int row_at_3 = y * plane_cells + in_plane[0];
                    if (y_of_stage >= y_first && y_of_stage < y_last) {
                        if ((is_own[0] & (15 << 0)) == 15 << 0) {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                T_new[row_at_3 + v] = T_stored[v];
                            }
                        } else {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                if ((is_own[0] & (1 << v)) != 0) {
                                    T_new[row_at_3 + v] = T_stored[v];
                                }
                            }
                        }
                    }
                }
                // T: 2 planes behind
                const int y_of_stage_2 = plane - 2;
                {
                    const int y = y_of_stage_2;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    float T_stored_2[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0 = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        T_stored_2[v] = T_new_2_0;
                    }
                    const int row_at_4 = y * plane_cells + in_plane[0];
                    if ((is_own[0] & (15 << 0)) == 15 << 0) {
                        #pragma unroll
                        for (int v = 0; v < 4; ++v) {
                            T_new_2[row_at_4 + v] = T_stored_2[v];
                        }
                    } else {
                        #pragma unroll
                        for (int v = 0; v < 4; ++v) {
                            if ((is_own[0] & (1 << v)) != 0) {
                                T_new_2[row_at_4 + v] = T_stored_2[v];
                            }
                        }
                    }
                }
            } else {
                // T: 1 planes behind
                const int y_of_stage = plane - 1;
                {
                    const int y = y_of_stage;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    float T_stored[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        const float T_new_0 = (is_inside[0] & (1 << v)) != 0 ? T_new_0_set : T_0;
                        T_queue_2[v] = T_new_0;
                        T_stored[v] = T_new_0;
                    }
                    const int row_at_3 = y * plane_cells + in_plane[0];
                    if (y_of_stage >= y_first && y_of_stage < y_last) {
                        if ((is_own[0] & (15 << 0)) == 15 << 0) {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                T_new[row_at_3 + v] = T_stored[v];
                            }
                        } else {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                if ((is_own[0] & (1 << v)) != 0) {
                                    T_new[row_at_3 + v] = T_stored[v];
                                }
                            }
                        }
                    }
                }
                // T: 2 planes behind
                const int y_of_stage_2 = plane - 2;
                {
                    const int y = y_of_stage_2;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    float T_stored_2[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        const float T_new_2_0 = (is_inside[0] & (1 << v)) != 0 ? T_new_2_0_set : T_new_0;
                        T_stored_2[v] = T_new_2_0;
                    }
                    const int row_at_4 = y * plane_cells + in_plane[0];
                    if ((is_own[0] & (15 << 0)) == 15 << 0) {
                        #pragma unroll
                        for (int v = 0; v < 4; ++v) {
                            T_new_2[row_at_4 + v] = T_stored_2[v];
                        }
                    } else {
                        #pragma unroll
                        for (int v = 0; v < 4; ++v) {
                            if ((is_own[0] & (1 << v)) != 0) {
                                T_new_2[row_at_4 + v] = T_stored_2[v];
                            }
                        }
                    }
                }
            }
        } else {
            // T: 1 planes behind
            const int y_of_stage = plane - 1;
            if (y_of_stage >= y_first - 1 && y_of_stage < y_last + 1) {
                {
                    const int y = min(max(y_of_stage, 0), ny - 1);
                    const int inside = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const int column = first_column + v;
                        const int x_at = x_first + column;
                        const int x = min(max(x_at, 0), nx - 1);
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        const float T_new_0 = (inside & (1 << v)) != 0 ? T_new_0_set : T_0;
                        T_queue_2[v] = T_new_0;
                        if ((is_own[0] & (1 << v)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                            T_new[y * plane_cells + x] = T_new_0;
                        }
                    }
                }
            }
            // T: 2 planes behind
            const int y_of_stage_2 = plane - 2;
            if (y_of_stage_2 >= y_first && y_of_stage_2 < y_last) {
                {
                    const int y = min(max(y_of_stage_2, 0), ny - 1);
                    const int inside_2 = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const int column = first_column + v;
                        const int x_at = x_first + column;
                        const int x = min(max(x_at, 0), nx - 1);
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        const float T_new_2_0 = (inside_2 & (1 << v)) != 0 ? T_new_2_0_set : T_new_0;
                        if ((is_own[0] & (1 << v)) != 0) {
                            T_new_2[y * plane_cells + x] = T_new_2_0;
                        }
                    }
                }
            }
        }
        {
            const int first_column = (int)threadIdx.x * 4;
            const int first_cell = first_column;
            store4(T_ring_2 + slot_3 + first_cell, T_queue_2 + 0);
        }
    }
}

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n]) (2 times)
// Where 32 bits do not count the cells of the grid.
__global__ void __launch_bounds__(128)
steps_k0_wide(const float *__restrict__ T, const float *__restrict__ q, const float *__restrict__ on, float *__restrict__ T_new, float *__restrict__ T_new_2, int nx, int ny, float dt, int n_2, int c0) {
    const long long plane_cells = (long long)nx;
    const float on_at = on[n_2];
    const float on_at_2 = on[c0];
    const int x_first = (int)blockIdx.x * 504 - 4;
    const int y_first = (int)blockIdx.y * 8;
    const int y_last = min(y_first + 8, ny);
    const int is_inside_block = x_first >= 1 && x_first + 513 <= nx;
    const int steady_first = max(y_first + 2, 3);
    const int steady_last = min(y_last + 2, ny);
    __shared__ __align__(16) float T_ring[2600];  // 5 planes of the block with its halo
    __shared__ __align__(16) float q_ring[2560];  // 5 planes of the block with its halo
    __shared__ __align__(16) float T_ring_2[1040];  // 2 planes of the block with its halo
    long long in_plane[1];
    float T_queue[12];
    float T_queue_2[12];
    float T_row[6];
    float q_row[4];
    int is_own[1];
    float q_row_2[4];
    float T_row_2[6];
    int is_inside[1];
    {
        is_own[0] = 0;
        is_inside[0] = 0;
        const int first_column = (int)threadIdx.x * 4;
        in_plane[0] = (long long)(nx % 4 == 0 ? max(min(x_first + first_column, nx - 4), 0) : min(max(x_first + first_column, 0), nx - 1));
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
            const int column = first_column + v;
            const int x_at = x_first + column;
            const int x = min(max(x_at, 0), nx - 1);
            is_own[0] = is_own[0] | (column >= 4 && column < 508 && x_at < nx ? 1 << v : 0);
            is_inside[0] = is_inside[0] | (x >= 1 && x < nx - 1 ? 1 << v : 0);
            T_queue[v] = 0.0f;
            T_queue[4 + v] = 0.0f;
            T_queue[8 + v] = 0.0f;
            T_queue_2[v] = 0.0f;
            T_queue_2[4 + v] = 0.0f;
            T_queue_2[8 + v] = 0.0f;
        }
        is_own[0] = kasc_kept(is_own[0]);
        is_inside[0] = kasc_kept(is_inside[0]);
    }
    {
        for (int w = (int)threadIdx.x; w < 1040; w += 128) {
            T_ring_2[w] = 0.0f;
        }
        for (int w = (int)threadIdx.x; w < 2560; w += 128) {
            q_ring[w] = 0.0f;
        }
        for (int w = (int)threadIdx.x; w < 2600; w += 128) {
            T_ring[w] = 0.0f;
        }
    }
    __syncthreads();  // the first planes writes T_ring, which other threads may still write
    {
        if (nx % 4 == 0) {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(y_first - 2, 0), ny - 1);
                const long long row_at = (long long)y_ahead * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(T_ring + 4 + (int)threadIdx.x * 4, T + row_at);
                const int y_ahead_2 = min(max(y_first - 2 - 1, 0), ny - 1);
                const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(q_ring + (int)threadIdx.x * 4, q + row_at_2);
            }
        } else {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(y_first - 2, 0), ny - 1);
                const long long row_at = (long long)y_ahead * plane_cells + (long long)(x_first + (int)threadIdx.x);
                const int y_ahead_2 = min(max(y_first - 2 - 1, 0), ny - 1);
                const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)(x_first + (int)threadIdx.x);
                #pragma unroll
                for (int v_2 = 0; v_2 < 4; ++v_2) {
                    if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                        fetch(T_ring + 4 + ((int)threadIdx.x + v_2 * 128), T + row_at + (long long)(v_2 * 128));
                        fetch(q_ring + (int)threadIdx.x + v_2 * 128, q + row_at_2 + (long long)(v_2 * 128));
                    }
                }
            }
        }
    }
    commit_copies();
    {
        if (nx % 4 == 0) {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(y_first - 1, 0), ny - 1);
                const long long row_at = (long long)y_ahead * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(T_ring + 524 + (int)threadIdx.x * 4, T + row_at);
                const int y_ahead_2 = min(max(y_first - 1 - 1, 0), ny - 1);
                const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(q_ring + 512 + (int)threadIdx.x * 4, q + row_at_2);
            }
        } else {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(y_first - 1, 0), ny - 1);
                const long long row_at = (long long)y_ahead * plane_cells + (long long)(x_first + (int)threadIdx.x);
                const int y_ahead_2 = min(max(y_first - 1 - 1, 0), ny - 1);
                const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)(x_first + (int)threadIdx.x);
                #pragma unroll
                for (int v_2 = 0; v_2 < 4; ++v_2) {
                    if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                        fetch(T_ring + 524 + ((int)threadIdx.x + v_2 * 128), T + row_at + (long long)(v_2 * 128));
                        fetch(q_ring + 512 + ((int)threadIdx.x + v_2 * 128), q + row_at_2 + (long long)(v_2 * 128));
                    }
                }
            }
        }
    }
    commit_copies();
    {
        if (nx % 4 == 0) {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(y_first, 0), ny - 1);
                const long long row_at = (long long)y_ahead * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(T_ring + 1044 + (int)threadIdx.x * 4, T + row_at);
                const int y_ahead_2 = min(max(y_first - 1, 0), ny - 1);
                const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                fetch<4>(q_ring + 1024 + (int)threadIdx.x * 4, q + row_at_2);
            }
        } else {
            if ((int)threadIdx.x >= 0) {
                const int y_ahead = min(max(y_first, 0), ny - 1);
                const long long row_at = (long long)y_ahead * plane_cells + (long long)(x_first + (int)threadIdx.x);
                const int y_ahead_2 = min(max(y_first - 1, 0), ny - 1);
                const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)(x_first + (int)threadIdx.x);
                #pragma unroll
                for (int v_2 = 0; v_2 < 4; ++v_2) {
                    if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                        fetch(T_ring + 1044 + ((int)threadIdx.x + v_2 * 128), T + row_at + (long long)(v_2 * 128));
                        fetch(q_ring + 1024 + ((int)threadIdx.x + v_2 * 128), q + row_at_2 + (long long)(v_2 * 128));
                    }
                }
            }
        }
    }
    commit_copies();
    await_copies<2>();
    __syncthreads();  // the next planes reads T_ring, which other threads fetched
    for (int turn = 0; turn < y_last - y_first + 4; ++turn) {
        const int plane = y_first - 2 + turn;
        const int slot_next = (turn + 3) % 5 * 520 + 4;
        const int slot = turn % 5 * 520 + 4;
        const int slot_m1 = (turn + 4) % 5 * 520 + 4;
        const int slot_next_2 = (turn + 3) % 5 * 512;
        const int slot_2 = turn % 5 * 512;
        const int slot_m1_2 = (turn + 4) % 5 * 512;
        const int slot_3 = turn % 2 * 520 + 4;
        const int slot_m1_3 = (turn + 1) % 2 * 520 + 4;
        {
            const int first_column = (int)threadIdx.x * 4;
            const int first_cell = first_column;
            #pragma unroll
            for (int v = 0; v < 4; ++v) {
                T_queue[8 + v] = T_queue[4 + v];
                T_queue[4 + v] = T_queue[v];
                T_queue_2[8 + v] = T_queue_2[4 + v];
                T_queue_2[4 + v] = T_queue_2[v];
            }
            load4(T_queue + 0, T_ring + slot + first_cell);
        }
        await_copies<1>();
        __syncthreads();  // the fetched planes writes T_ring, which other threads may still read
        {
            if (nx % 4 == 0) {
                if ((int)threadIdx.x >= 0) {
                    const int y_ahead = min(max(plane + 3, 0), ny - 1);
                    const long long row_at = (long long)y_ahead * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                    fetch<4>(T_ring + slot_next + (int)threadIdx.x * 4, T + row_at);
                    const int y_ahead_2 = min(max(plane + 3 - 1, 0), ny - 1);
                    const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)max(min(x_first + (int)threadIdx.x * 4, nx - 4), 0);
                    fetch<4>(q_ring + slot_next_2 + (int)threadIdx.x * 4, q + row_at_2);
                }
            } else {
                if ((int)threadIdx.x >= 0) {
                    const int y_ahead = min(max(plane + 3, 0), ny - 1);
                    const long long row_at = (long long)y_ahead * plane_cells + (long long)(x_first + (int)threadIdx.x);
                    const int y_ahead_2 = min(max(plane + 3 - 1, 0), ny - 1);
                    const long long row_at_2 = (long long)y_ahead_2 * plane_cells + (long long)(x_first + (int)threadIdx.x);
                    #pragma unroll
                    for (int v_2 = 0; v_2 < 4; ++v_2) {
                        if (x_first + (int)threadIdx.x + v_2 * 128 >= 0 && x_first + (int)threadIdx.x + v_2 * 128 < nx) {
                            fetch(T_ring + slot_next + ((int)threadIdx.x + v_2 * 128), T + row_at + (long long)(v_2 * 128));
                            fetch(q_ring + slot_next_2 + ((int)threadIdx.x + v_2 * 128), q + row_at_2 + (long long)(v_2 * 128));
                        }
                    }
                }
            }
        }
        commit_copies();
        if (plane >= steady_first && plane < steady_last) {
            if (is_inside_block != 0) {
                // T: 1 planes behind
                const int y_of_stage = plane - 1;
                {
                    const int y = y_of_stage;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    float T_stored[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0 = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        T_queue_2[v] = T_new_0;
                        T_stored[v] = T_new_0;
                    }
                    const long long row_at_3 = (long long)y * plane_cells + in_plane[0];
                    if (nx % 4 == 0) {
                        if ((is_own[0] & (1 << 0)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                            store4(T_new + row_at_3, T_stored + 0);
                        }
                    } else {
                        if (y_of_stage >= y_first && y_of_stage < y_last) {
                            if ((is_own[0] & (15 << 0)) == 15 << 0) {
                                #pragma unroll
                                for (int v = 0; v < 4; ++v) {
                                    T_new[row_at_3 + (long long)v] = T_stored[v];
                                }
                            } else {
                                #pragma unroll
                                for (int v = 0; v < 4; ++v) {
                                    if ((is_own[0] & (1 << v)) != 0) {
                                        T_new[row_at_3 + (long long)v] = T_stored[v];
                                    }
                                }
                            }
                        }
                    }
                }
                // T: 2 planes behind
                const int y_of_stage_2 = plane - 2;
                {
                    const int y = y_of_stage_2;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    float T_stored_2[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0 = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        T_stored_2[v] = T_new_2_0;
                    }
                    const long long row_at_4 = (long long)y * plane_cells + in_plane[0];
                    if (nx % 4 == 0) {
                        if ((is_own[0] & (1 << 0)) != 0) {
                            store4(T_new_2 + row_at_4, T_stored_2 + 0);
                        }
                    } else {
                        if ((is_own[0] & (15 << 0)) == 15 << 0) {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                T_new_2[row_at_4 + (long long)v] = T_stored_2[v];
                            }
                        } else {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                if ((is_own[0] & (1 << v)) != 0) {
                                    T_new_2[row_at_4 + (long long)v] = T_stored_2[v];
                                }
                            }
                        }
                    }
                }
            } else {
                // T: 1 planes behind
                const int y_of_stage = plane - 1;
                {
                    const int y = y_of_stage;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    float T_stored[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        const float T_new_0 = (is_inside[0] & (1 << v)) != 0 ? T_new_0_set : T_0;
                        T_queue_2[v] = T_new_0;
                        T_stored[v] = T_new_0;
                    }
                    const long long row_at_3 = (long long)y * plane_cells + in_plane[0];
                    if (nx % 4 == 0) {
                        if ((is_own[0] & (1 << 0)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                            store4(T_new + row_at_3, T_stored + 0);
                        }
                    } else {
                        if (y_of_stage >= y_first && y_of_stage < y_last) {
                            if ((is_own[0] & (15 << 0)) == 15 << 0) {
                                #pragma unroll
                                for (int v = 0; v < 4; ++v) {
                                    T_new[row_at_3 + (long long)v] = T_stored[v];
                                }
                            } else {
                                #pragma unroll
                                for (int v = 0; v < 4; ++v) {
                                    if ((is_own[0] & (1 << v)) != 0) {
                                        T_new[row_at_3 + (long long)v] = T_stored[v];
                                    }
                                }
                            }
                        }
                    }
                }
                // T: 2 planes behind
                const int y_of_stage_2 = plane - 2;
                {
                    const int y = y_of_stage_2;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    float T_stored_2[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        const float T_new_2_0 = (is_inside[0] & (1 << v)) != 0 ? T_new_2_0_set : T_new_0;
                        T_stored_2[v] = T_new_2_0;
                    }
                    const long long row_at_4 = (long long)y * plane_cells + in_plane[0];
                    if (nx % 4 == 0) {
                        if ((is_own[0] & (1 << 0)) != 0) {
                            store4(T_new_2 + row_at_4, T_stored_2 + 0);
                        }
                    } else {
                        if ((is_own[0] & (15 << 0)) == 15 << 0) {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                T_new_2[row_at_4 + (long long)v] = T_stored_2[v];
                            }
                        } else {
                            #pragma unroll
                            for (int v = 0; v < 4; ++v) {
                                if ((is_own[0] & (1 << v)) != 0) {
                                    T_new_2[row_at_4 + (long long)v] = T_stored_2[v];
                                }
                            }
                        }
                    }
                }
            }
        } else {
            // T: 1 planes behind
            const int y_of_stage = plane - 1;
            if (y_of_stage >= y_first - 1 && y_of_stage < y_last + 1) {
                {
                    const int y = min(max(y_of_stage, 0), ny - 1);
                    const int inside = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row[1 + v] = T_queue[4 + v];
                    }
                    T_row[0] = T_ring[slot_m1 + (first_cell - 1)];
                    T_row[5] = T_ring[slot_m1 + (first_cell + 4)];
                    load4(q_row + 0, q_ring + slot_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const int column = first_column + v;
                        const int x_at = x_first + column;
                        const int x = min(max(x_at, 0), nx - 1);
                        const float T_0 = T_queue[4 + v];
                        const float T_xm1 = T_row[v];
                        const float T_xp1 = T_row[2 + v];
                        const float T_ym1 = T_queue[8 + v];
                        const float T_yp1 = T_queue[v];
                        const float q_0 = q_row[v];
                        const float T_new_0_set = fmaf(dt, fmaf(q_0, on_at, fmaf(-4.0f, T_0, T_xm1 + T_xp1 + T_ym1 + T_yp1)), T_0);
                        const float T_new_0 = (inside & (1 << v)) != 0 ? T_new_0_set : T_0;
                        T_queue_2[v] = T_new_0;
                        if ((is_own[0] & (1 << v)) != 0 && (y_of_stage >= y_first && y_of_stage < y_last)) {
                            T_new[(long long)y * plane_cells + (long long)x] = T_new_0;
                        }
                    }
                }
            }
            // T: 2 planes behind
            const int y_of_stage_2 = plane - 2;
            if (y_of_stage_2 >= y_first && y_of_stage_2 < y_last) {
                {
                    const int y = min(max(y_of_stage_2, 0), ny - 1);
                    const int inside_2 = y >= 1 && y < ny - 1 ? is_inside[0] : 0;
                    const int first_column = (int)threadIdx.x * 4;
                    const int first_cell = first_column;
                    load4(q_row_2 + 0, q_ring + slot_m1_2 + first_cell);
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        T_row_2[1 + v] = T_queue_2[4 + v];
                    }
                    T_row_2[0] = T_ring_2[slot_m1_3 + (first_cell - 1)];
                    T_row_2[5] = T_ring_2[slot_m1_3 + (first_cell + 4)];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        const int column = first_column + v;
                        const int x_at = x_first + column;
                        const int x = min(max(x_at, 0), nx - 1);
                        const float T_new_0 = T_queue_2[4 + v];
                        const float T_new_xm1 = T_row_2[v];
                        const float T_new_xp1 = T_row_2[2 + v];
                        const float T_new_ym1 = T_queue_2[8 + v];
                        const float T_new_yp1 = T_queue_2[v];
                        const float q_0 = q_row_2[v];
                        const float T_new_2_0_set = fmaf(dt, fmaf(q_0, on_at_2, fmaf(-4.0f, T_new_0, T_new_xm1 + T_new_xp1 + T_new_ym1 + T_new_yp1)), T_new_0);
                        const float T_new_2_0 = (inside_2 & (1 << v)) != 0 ? T_new_2_0_set : T_new_0;
                        if ((is_own[0] & (1 << v)) != 0) {
                            T_new_2[(long long)y * plane_cells + (long long)x] = T_new_2_0;
                        }
                    }
                }
            }
        }
        {
            const int first_column = (int)threadIdx.x * 4;
            const int first_cell = first_column;
            store4(T_ring_2 + slot_3 + first_cell, T_queue_2 + 0);
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
