// A warp's access to shared memory takes as many passes as the busiest bank has distinct words:
//
//   start t, word 0         banks 0 1 2 … 31       1 pass
//   start 2 t               banks 0 2 … 30 0 2 …   2 passes
//   start 0                 all the same word      1 pass (broadcast)

#include <algorithm>
#include <array>
#include <vector>

#include "model/constants.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

int bank_passes(const std::vector<std::int32_t>& words) {
    std::array<int, shared_banks> distinct{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0 && words[i] == words[i - 1]) continue;
        ++distinct[static_cast<std::size_t>(words[i]) % shared_banks];
    }
    return *std::max_element(distinct.begin(), distinct.end());
}

int lines(const std::vector<std::int32_t>& words) {
    int count = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i == 0 || words[i] / line_words != words[i - 1] / line_words) ++count;
    }
    return count;
}

/// `count` sees the sorted words of the first warp for each offset.
template <class Count>
double passes(const AddressSet& set, int threads, Count count) {
    const int first = std::min({threads, warp_threads, static_cast<int>(set.start.size())});
    if (first <= 0) return 0;
    double total = 0;
    for (std::int32_t offset : set.offsets) {
        std::vector<std::int32_t> words;
        for (int t = 0; t < first; ++t) words.push_back(set.start[static_cast<std::size_t>(t)] + offset);
        std::sort(words.begin(), words.end());
        total += count(words);
    }
    const int warps = (threads + warp_threads - 1) / warp_threads;
    return total * warps;
}

}  // namespace

double shared_passes(const AddressSet& set, int threads) { return passes(set, threads, bank_passes); }
double line_passes(const AddressSet& set, int threads) { return passes(set, threads, lines); }

}  // namespace kasc::model
