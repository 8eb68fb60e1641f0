// A warp's access to shared memory takes as many passes as the busiest bank has distinct words:
//
//   start t, word 0         banks 0 1 2 … 31       1 pass
//   start 2 t               banks 0 2 … 30 0 2 …   2 passes
//   start 0                 all the same word      1 pass (broadcast)
//
// Four words at an address that is a multiple of four are one access of 16 bytes. It goes a quarter of a warp at a
// time, and each quarter takes as many passes as the busiest four banks have distinct fours:
//
//   start 36 t, words 0-3   fours 0 9 18 … 63      4 quarters of 1 pass; word by word it would be 4 accesses of 4

#include <algorithm>
#include <array>

#include "model/constants.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// The words that a warp touches, sorted.
struct Words {
    std::array<std::int32_t, warp_threads> at{};
    std::size_t count = 0;
    [[nodiscard]] auto begin() { return at.begin(); }
    [[nodiscard]] auto end() { return at.begin() + static_cast<std::ptrdiff_t>(count); }
};

constexpr int words_of_four = 4;

/// Passes for sorted units (words or fours), of which `banks` can be had in one pass.
int bank_passes(const Words& units, int banks) {
    std::array<int, shared_banks> distinct{};
    for (std::size_t i = 0; i < units.count; ++i) {
        if (i > 0 && units.at[i] == units.at[i - 1]) continue;
        ++distinct[static_cast<std::size_t>(units.at[i] % banks)];
    }
    return *std::max_element(distinct.begin(), distinct.end());
}

int lines(const Words& words) {
    int count = 0;
    for (std::size_t i = 0; i < words.count; ++i) {
        if (i == 0 || words.at[i] / line_words != words.at[i - 1] / line_words) ++count;
    }
    return count;
}

int first_warp(const AddressSet& set, int threads) {
    return std::min({threads, warp_threads, static_cast<int>(set.start.size())});
}

Words addresses(const AddressSet& set, std::int32_t offset, int from, int to) {
    Words words;
    for (int t = from; t < to; ++t) words.at[words.count++] = set.start[static_cast<std::size_t>(t)] + offset;
    if (!std::is_sorted(words.begin(), words.end())) std::sort(words.begin(), words.end());
    return words;
}

/// Do the offsets from `at` on begin with four words that every thread finds at a multiple of four?
bool is_four(const AddressSet& set, std::size_t at, int threads) {
    if (at + words_of_four > set.offsets.size()) return false;
    if (set.offsets[at + words_of_four - 1] != set.offsets[at] + words_of_four - 1) return false;
    return std::all_of(set.start.begin(), set.start.begin() + threads,
                       [&](std::int32_t start) { return (start + set.offsets[at]) % words_of_four == 0; });
}

int passes_of_four(const AddressSet& set, std::int32_t offset, int threads) {
    constexpr int quarter = warp_threads / words_of_four;
    int passes = 0;
    for (int from = 0; from < threads; from += quarter) {
        Words fours = addresses(set, offset, from, std::min(threads, from + quarter));
        for (std::int32_t& word : fours) word /= words_of_four;
        passes += bank_passes(fours, shared_banks / words_of_four);
    }
    return passes;
}

int warps(int threads) { return (threads + warp_threads - 1) / warp_threads; }

}  // namespace

double shared_passes(const AddressSet& set, int threads) {
    const int first = first_warp(set, threads);
    if (first <= 0) return 0;
    double total = 0;
    for (std::size_t at = 0; at < set.offsets.size();) {
        const bool four = is_four(set, at, first);
        total += four ? passes_of_four(set, set.offsets[at], first)
                      : bank_passes(addresses(set, set.offsets[at], 0, first), shared_banks);
        at += four ? words_of_four : 1;
    }
    return total * warps(threads);
}

double line_passes(const AddressSet& set, int threads) {
    const int first = first_warp(set, threads);
    if (first <= 0) return 0;
    double total = 0;
    for (const std::int32_t offset : set.offsets) total += lines(addresses(set, offset, 0, first));
    return total * warps(threads);
}

}  // namespace kasc::model
