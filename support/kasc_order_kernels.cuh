// The order of a list by cell, for code emitted by kasc for CUDA: a radix sort of the numbers of cells that leaves
// entries of one cell in their order, eight bits at a time, those of least weight first.
//
//   count    of each tile of 4096 entries, how many have each digit
//   scan     of each digit, how many of them stand in tiles before
//   place    each entry behind those of smaller digits, of tiles before, of warps before and of lanes before it
//
// Compiled while a program runs (NVRTC), kernels have C's names.
#pragma once

#ifdef __CUDACC_RTC__
#define KASC_ORDER_KERNEL extern "C" __global__
#else
#define KASC_ORDER_KERNEL static __global__
#endif

static constexpr int kasc_order_threads = 256;                                // as many as there are digits
static constexpr int kasc_order_each = 16;                                    // entries of a thread
static constexpr int kasc_order_tile = kasc_order_threads * kasc_order_each;  // also of starts
static constexpr int kasc_order_bits = 8;

// counts[digit * tiles + tile]
KASC_ORDER_KERNEL void __launch_bounds__(256)
    kasc_order_count(const int* cells, int n, int shift, int* counts, int tiles) {
    __shared__ int found[256];
    found[threadIdx.x] = 0;
    __syncthreads();
    const long long first = (long long)blockIdx.x * kasc_order_tile + threadIdx.x;
    for (int k = 0; k < kasc_order_each; ++k) {
        const long long at = first + k * kasc_order_threads;
        if (at < n) atomicAdd(&found[(cells[at] >> shift) & 255], 1);
    }
    __syncthreads();
    counts[(long long)threadIdx.x * tiles + blockIdx.x] = found[threadIdx.x];
}

// For each thread of the block, the sum of the values of those before it; all: of all.
static __device__ __forceinline__ int kasc_order_before(int value, int* of_warps, int& all) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    int sum = value;
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    int before = 0;
    all = 0;
    for (int w = 0; w < warps; ++w) {
        if (w < warp) before += of_warps[w];
        all += of_warps[w];
    }
    __syncthreads();  // of_warps may be written again
    return before + sum - value;
}

// A block a digit: counts become those of tiles before, totals[digit] that of all.
KASC_ORDER_KERNEL void __launch_bounds__(1024) kasc_order_scan(int* counts, int* totals, int tiles) {
    __shared__ int of_warps[32];
    int* row = counts + (long long)blockIdx.x * tiles;
    int before = 0;
    for (int first = 0; first < tiles; first += 1024) {
        const int tile = first + (int)threadIdx.x;
        int all;
        const int own = kasc_order_before(tile < tiles ? row[tile] : 0, of_warps, all);
        if (tile < tiles) row[tile] = before + own;
        before += all;
    }
    if (threadIdx.x == 0) totals[blockIdx.x] = before;
}

// entries: null where they stand in the order of the list.
KASC_ORDER_KERNEL void __launch_bounds__(256)
    kasc_order_place(const int* cells, const int* entries, int n, int shift, const int* counts, const int* totals,
                     int tiles, int* to_cells, int* to_entries) {
    constexpr int warps = kasc_order_threads / 32;
    __shared__ int places[warps][256];
    __shared__ int of_warps[warps];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int w = 0; w < warps; ++w) places[w][threadIdx.x] = 0;
    __syncthreads();
    const long long first = (long long)blockIdx.x * kasc_order_tile + warp * 32 * kasc_order_each + lane;
    int own[kasc_order_each], rank[kasc_order_each];
#pragma unroll
    for (int k = 0; k < kasc_order_each; ++k) {
        const long long at = first + 32 * k;
        const bool there = at < n;
        own[k] = there ? cells[at] : 0;
        const int digit = there ? (own[k] >> shift) & 255 : 256;
        const unsigned alike = __match_any_sync(0xffffffffu, digit);
        const int before = __popc(alike & ((1u << lane) - 1u));
        int seen = 0;
        if (there && before == 0) {
            seen = places[warp][digit];
            places[warp][digit] = seen + __popc(alike);
        }
        rank[k] = __shfl_sync(0xffffffffu, seen, __ffs((int)alike) - 1) + before;
        __syncwarp();
    }
    __syncthreads();
    const int digit = threadIdx.x;
    int all;
    int place = kasc_order_before(totals[digit], of_warps, all) + counts[(long long)digit * tiles + blockIdx.x];
    for (int w = 0; w < warps; ++w) {
        const int count = places[w][digit];
        places[w][digit] = place;
        place += count;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kasc_order_each; ++k) {
        const long long at = first + 32 * k;
        if (at >= n) continue;
        const int to = places[warp][(own[k] >> shift) & 255] + rank[k];
        to_cells[to] = own[k];
        to_entries[to] = entries == nullptr ? (int)at : entries[at];
    }
}

// Counts runs of numbers in ascending order: at the first place of equal ones how many there are, at their others -1 -
// the first; 0 at those that are `none`.
KASC_ORDER_KERNEL void __launch_bounds__(256) kasc_order_runs(const int* sorted, int n, int none, int* to) {
    const long long at = (long long)blockIdx.x * 256 + threadIdx.x;
    if (at >= n) return;
    const int cell = sorted[at];
    if (cell == none) {
        to[at] = 0;
        return;
    }
    const bool begins = at == 0 || sorted[at - 1] != cell;
    // From a place of the run in steps that double, then by halves: inside is of the run, outside is not.
    const long long way = begins ? 1 : -1, end = begins ? n : -1;
    long long inside = at, outside = end;
    for (long long step = 1;; step *= 2) {
        const long long next = inside + way * step;
        if (way * (end - next) <= 0) break;
        if (sorted[next] != cell) {
            outside = next;
            break;
        }
        inside = next;
    }
    while (way * (outside - inside) > 1) {
        const long long middle = inside + (outside - inside) / 2;
        if (sorted[middle] == cell)
            inside = middle;
        else
            outside = middle;
    }
    to[at] = (int)(begins ? inside + 1 - at : -1 - inside);
}

// A block a tile: where the cells begin that do so in it, then -1 - where the next one begins, or no cell is left.
KASC_ORDER_KERNEL void __launch_bounds__(256) kasc_order_starts(const int* sorted, int n, int none, int* to) {
    __shared__ int of_warps[kasc_order_threads / 32];
    __shared__ int next;
    const long long first = (long long)blockIdx.x * kasc_order_tile;
    const int count = (int)(n - first < kasc_order_tile ? n - first : kasc_order_tile);
    if (threadIdx.x == 0) {
        const int last = sorted[first + count - 1];
        int from = 0, end = n;  // the first place whose number is larger than the last one's, or `none`
        while (from < end) {
            const int middle = from + (end - from) / 2;
            if (sorted[middle] > last || sorted[middle] == none)
                end = middle;
            else
                from = middle + 1;
        }
        next = from;
    }
    int found = 0;
    for (int k = 0; k < kasc_order_each; ++k) {
        const int own = k * kasc_order_threads + (int)threadIdx.x;
        const long long at = first + own;
        const bool begins = own < count && sorted[at] != none && (at == 0 || sorted[at - 1] != sorted[at]);
        int all;
        const int before = kasc_order_before(begins ? 1 : 0, of_warps, all);
        if (begins) to[first + found + before] = (int)at;
        found += all;
    }
    for (int k = found + (int)threadIdx.x; k < count; k += kasc_order_threads) to[first + k] = -1 - next;
}
