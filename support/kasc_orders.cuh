// Orders of lists by cell, for code emitted by kasc for CUDA.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "kasc_order_kernels.cuh"

namespace {

// The orders of one program. They take turns, so that one work area serves them all.
class kasc_orders {
public:
    kasc_orders() = default;
    kasc_orders(const kasc_orders&) = delete;

    // Adds a list of so many entries, whose cells lie along axes of these lengths.
    void add(kasc_memory& memory, long long entries, std::initializer_list<long long> lengths) {
        list added = {entries, 1};
        for (const long long length : lengths) added.cells *= added.cells < most ? length : 1;
        if ((entries >= most / 2 || added.cells >= most) && memory.status() == 0)
            memory.fail(
                kasc_fail(1, "a list of %lld entries in %lld cells: at most 2^30 and 2^31", entries, added.cells));
        lists_.push_back(added);
        words_ = std::max(words_, 3 * entries + 256 * (tiles(entries) + 1));
    }
    // After the last add.
    void ready(kasc_memory& memory) { work_ = memory.take<int>("the work area of ordered lists", words_); }
    // to: the entry at each place. from: of each entry its cell, or the number of cells.
    void order(kasc_memory& memory, int number, int* to, const int* from) {
        const list& of = lists_[(std::size_t)number];
        const int n = (int)of.entries, blocks = (int)tiles(n);
        int *const cells[2] = {work_, work_ + n}, *const entries[2] = {to, work_ + 2 * (long long)n};
        int *const counts = work_ + 3 * (long long)n, *const totals = counts + 256 * (long long)blocks;
        int passes = 1;
        while (of.cells >> (kasc_order_bits * passes) > 0) ++passes;
        const int *cell = from, *entry = nullptr;
        for (int pass = 0; pass < passes && memory.status() == 0; ++pass) {
            const int into = (passes - 1 - pass) % 2, shift = kasc_order_bits * pass;
            kasc_order_count<<<blocks, kasc_order_threads, 0, memory.stream()>>>(cell, n, shift, counts, blocks);
            kasc_order_scan<<<256, 1024, 0, memory.stream()>>>(counts, totals, blocks);
            kasc_order_place<<<blocks, kasc_order_threads, 0, memory.stream()>>>(cell, entry, n, shift, counts, totals,
                                                                                 blocks, cells[into], entries[into]);
            check(memory);
            cell = cells[into], entry = entries[into];
        }
    }
    // to: which places the cells have that stand at `from` in ascending order.
    void runs(kasc_memory& memory, int number, int* to, const int* from) {
        const list& of = lists_[(std::size_t)number];
        if (memory.status() != 0) return;
        kasc_order_runs<<<(unsigned)((of.entries + 255) / 256), 256, 0, memory.stream()>>>(from, (int)of.entries,
                                                                                           (int)of.cells, to);
        check(memory);
    }
    // to: where cells begin, by tile. from: as of runs.
    void starts(kasc_memory& memory, int number, int* to, const int* from) {
        const list& of = lists_[(std::size_t)number];
        if (memory.status() != 0) return;
        kasc_order_starts<<<(unsigned)tiles(of.entries), kasc_order_threads, 0, memory.stream()>>>(
            from, (int)of.entries, (int)of.cells, to);
        check(memory);
    }

private:
    struct list {
        long long entries, cells;
    };
    static constexpr long long most = 1LL << 31;
    std::vector<list> lists_;
    long long words_ = 0;
    int* work_ = nullptr;

    static long long tiles(long long entries) { return (entries + kasc_order_tile - 1) / kasc_order_tile; }
    static void check(kasc_memory& memory) {
        if (const int status = kasc_check(cudaGetLastError(), "the order of a list"); status != 0) memory.fail(status);
    }
};

}  // namespace
