// One block of shared memory for all shared values of a kernel: values whose lifetimes do not overlap share space.
//
//     A: 96 words, steps 0-2   B: 96 words, steps 1-2   M: 96 words, steps 2-4   v: 32 words, steps 4-5
//     A at 0, B at 96, M at 192, v at 0 (A is gone): 288 words, which steps 2 needs in any case.
//
// First fit by decreasing size. Where that misses the lower bound (the words alive in the fullest step) and the values
// are few, all orders are tried: some order makes first fit optimal (by increasing offset in an optimal layout, no
// value is placed higher than there), so the result is then the least possible.

#include <algorithm>
#include <numeric>

#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

constexpr int alignment_words = 4;     // staged copies move 16 bytes at a time
constexpr std::size_t most_exact = 6;  // 720 orders: below a tenth of a millisecond

int rounded(int words) { return (words + alignment_words - 1) / alignment_words * alignment_words; }

bool live_together(const Placement& a, const Placement& b) {
    return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

/// Places in the given order, each at the lowest offset that is free over its lifetime; returns the words taken.
int first_fit(const std::vector<Placement*>& order) {
    int total = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<const Placement*> others;
        for (std::size_t j = 0; j < i; ++j)
            if (live_together(*order[i], *order[j])) others.push_back(order[j]);
        std::sort(others.begin(), others.end(), [](const Placement* a, const Placement* b) {
            return a->offset != b->offset ? a->offset < b->offset : a->value < b->value;
        });
        int offset = 0;
        for (const Placement* other : others) {
            if (offset + rounded(order[i]->words) <= other->offset) break;
            offset = std::max(offset, other->offset + rounded(other->words));
        }
        order[i]->offset = offset;
        total = std::max(total, offset + rounded(order[i]->words));
    }
    return total;
}

int lower_bound_words(const std::vector<Placement*>& values) {
    int most = 0;
    for (const Placement* at : values) {  // the fullest step is the first step of some value
        int live = 0;
        for (const Placement* other : values)
            if (other->first_step <= at->first_step && at->first_step <= other->last_step)
                live += rounded(other->words);
        most = std::max(most, live);
    }
    return most;
}

}  // namespace

int lay_out_shared(std::vector<Placement>& placements) {
    std::vector<Placement*> order;
    for (Placement& placement : placements)
        if (placement.where == Residence::shared) order.push_back(&placement);
    std::stable_sort(order.begin(), order.end(),
                     [](const Placement* a, const Placement* b) { return a->words > b->words; });
    const int bound = lower_bound_words(order);
    int best = first_fit(order);
    if (best == bound || order.size() > most_exact) return best;
    std::vector<Placement*> best_order = order;
    std::vector<std::size_t> permutation(order.size());
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    while (best > bound && std::next_permutation(permutation.begin(), permutation.end())) {
        std::vector<Placement*> candidate;
        for (const std::size_t k : permutation) candidate.push_back(order[k]);
        if (const int words = first_fit(candidate); words < best) {
            best = words;
            best_order = candidate;
        }
    }
    return first_fit(best_order);
}

}  // namespace kasc
