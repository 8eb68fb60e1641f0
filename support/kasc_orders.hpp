// Orders of lists by cell, for code emitted by kasc for the CPU: a radix sort of the numbers of cells that leaves
// entries of one cell in their order, eleven bits at a time, those of least weight first.
#pragma once

#include <initializer_list>
#include <vector>

namespace {

// to: the entry at each place. from: of each entry its cell, or the number of cells. work: 3 n words.
inline void kasc_order(int* to, const int* from, long long n, long long cell_count, int* work) {
    constexpr int bits = 11, digits = 1 << bits;
    int passes = 1;
    while (cell_count >> (bits * passes) > 0) ++passes;
    int* const cells[2] = {work, work + n};
    int* const entries[2] = {to, work + 2 * n};
    const int *cell = from, *entry = nullptr;
    for (int pass = 0; pass < passes; ++pass) {
        const int into = (passes - 1 - pass) % 2, shift = bits * pass;
        static thread_local long long places[digits];
        for (long long& place : places) place = 0;
        for (long long k = 0; k < n; ++k) ++places[(cell[k] >> shift) & (digits - 1)];
        long long before = 0;
        for (long long& place : places) {
            const long long count = place;
            place = before;
            before += count;
        }
        for (long long k = 0; k < n; ++k) {
            const long long place = places[(cell[k] >> shift) & (digits - 1)]++;
            cells[into][place] = cell[k];
            entries[into][place] = entry == nullptr ? (int)k : entry[k];
        }
        cell = cells[into], entry = entries[into];
    }
}

// Counts runs of numbers in ascending order: at the first place of equal ones how many there are, at their others -1 -
// the first; 0 at those that are `none`.
inline void kasc_runs(int* to, const int* sorted, long long n, long long none) {
    for (long long first = 0, end = 0; first < n; first = end) {
        while (end < n && sorted[end] == sorted[first]) ++end;
        const bool is_cell = sorted[first] != none;
        for (long long k = first; k < end; ++k) to[k] = is_cell ? (int)(-1 - first) : 0;
        if (is_cell) to[first] = (int)(end - first);
    }
}

// Finds, by tile of 4096 such numbers: where the cells begin that do so in it, then -1 - where the next one begins, or
// no cell is left.
inline void kasc_starts(int* to, const int* sorted, long long n, long long none) {
    constexpr long long tile = 4096;
    long long end = n;
    while (end > 0 && sorted[end - 1] == none) --end;
    for (long long first = 0, next = 0; first < n; first += tile) {
        const long long behind = first + tile < n ? first + tile : n;
        long long k = first;
        for (; next < behind && next < end; ++k) {
            to[k] = (int)next;
            const int cell = sorted[next];
            while (next < end && sorted[next] == cell) ++next;
        }
        for (; k < behind; ++k) to[k] = (int)(-1 - next);
    }
}

// The orders of one program. They take turns, so that one work area serves them all.
class kasc_orders {
public:
    // Adds a list of so many entries, whose cells lie along axes of these lengths.
    template <class Memory>
    void add(Memory& memory, long long entries, std::initializer_list<long long> lengths) {
        list added = {entries, 1};
        for (const long long length : lengths) added.cells *= added.cells < most ? length : 1;
        if ((entries >= most / 2 || added.cells >= most) && memory.status() == 0)
            memory.fail(
                kasc_fail(1, "a list of %lld entries in %lld cells: at most 2^30 and 2^31", entries, added.cells));
        lists_.push_back(added);
        words_ = words_ > 3 * entries ? words_ : 3 * entries;
    }
    // After the last add.
    template <class Memory>
    void ready(Memory& memory) {
        if (memory.status() == 0) work_.resize((std::size_t)words_);
    }
    template <class Memory, class To, class From>
    void order(Memory& memory, int number, To to, From from) {
        const list& of = lists_[(std::size_t)number];
        if (memory.status() != 0) return;
        memory.synchronise();
        kasc_order(kasc_words<int>(to, true), kasc_words<int>(from, false), of.entries, of.cells, work_.data());
    }
    // to: which places the cells have that stand at `from` in ascending order.
    template <class Memory, class To, class From>
    void runs(Memory& memory, int number, To to, From from) {
        const list& of = lists_[(std::size_t)number];
        if (memory.status() != 0) return;
        memory.synchronise();
        kasc_runs(kasc_words<int>(to, true), kasc_words<int>(from, false), of.entries, of.cells);
    }
    // to: where cells begin, by tile. from: as of runs.
    template <class Memory, class To, class From>
    void starts(Memory& memory, int number, To to, From from) {
        const list& of = lists_[(std::size_t)number];
        if (memory.status() != 0) return;
        memory.synchronise();
        kasc_starts(kasc_words<int>(to, true), kasc_words<int>(from, false), of.entries, of.cells);
    }

private:
    struct list {
        long long entries, cells;
    };
    static constexpr long long most = 1LL << 31;
    std::vector<list> lists_;
    std::vector<int> work_;
    long long words_ = 0;
};

}  // namespace
