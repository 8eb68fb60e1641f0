// One block of shared memory for all shared regions of a kernel: those whose lifetimes do not overlap share space.
//
//     A: 96 words, steps 0-2   B: 96 words, steps 1-2   M: 96 words, steps 2-4   v: 32 words, steps 4-5
//     A at 0, B at 96, M at 192, v at 0 (A is gone): 288 words, which steps 2 needs in any case.
//
// First fit by decreasing size. Where that misses the lower bound (the words alive in the fullest step) and the regions
// are few, all orders are tried: some order makes first fit optimal (by increasing offset in an optimal layout, no
// region is placed higher than there), so the result is then the least possible.

#include <algorithm>
#include <numeric>

#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

constexpr int alignment_words = 4;     // staged copies move 16 bytes at a time
constexpr std::size_t most_exact = 6;  // 720 orders: below a tenth of a millisecond

int rounded(int words) { return (words + alignment_words - 1) / alignment_words * alignment_words; }

struct Placed {
    block::Region* region;
    block::Lifetime life;
    int place = 0;
    [[nodiscard]] int end() const { return place + rounded(region->words); }
};

bool live_together(const Placed& a, const Placed& b) {
    return a.life.first <= b.life.last && b.life.first <= a.life.last;
}

/// Places in the given order, each at the lowest word that is free over its lifetime; returns the words taken.
int first_fit(const std::vector<Placed*>& order) {
    int total = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<const Placed*> others;
        for (std::size_t j = 0; j < i; ++j)
            if (live_together(*order[i], *order[j])) others.push_back(order[j]);
        std::sort(others.begin(), others.end(), [](const Placed* a, const Placed* b) {
            return a->place != b->place ? a->place < b->place : a->region < b->region;
        });
        int place = 0;
        for (const Placed* other : others) {
            if (place + rounded(order[i]->region->words) <= other->place) break;
            place = std::max(place, other->end());
        }
        order[i]->place = place;
        total = std::max(total, order[i]->end());
    }
    return total;
}

int lower_bound_words(const std::vector<Placed>& regions) {
    int most = 0;
    for (const Placed& at : regions) {  // the fullest step is the first step of some region
        int live = 0;
        for (const Placed& other : regions)
            if (other.life.first <= at.life.first && at.life.first <= other.life.last)
                live += rounded(other.region->words);
        most = std::max(most, live);
    }
    return most;
}

/// Leaves the places as the best order found gives them.
void place_all(std::vector<Placed>& regions) {
    std::vector<Placed*> order;
    for (Placed& region : regions) order.push_back(&region);
    std::stable_sort(order.begin(), order.end(),
                     [](const Placed* a, const Placed* b) { return a->region->words > b->region->words; });
    const int bound = lower_bound_words(regions);
    int best = first_fit(order);
    if (best == bound || order.size() > most_exact) return;
    std::vector<Placed*> best_order = order;
    std::vector<std::size_t> permutation(order.size());
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    while (best > bound && std::next_permutation(permutation.begin(), permutation.end())) {
        std::vector<Placed*> candidate;
        for (const std::size_t k : permutation) candidate.push_back(order[k]);
        if (const int words = first_fit(candidate); words < best) {
            best = words;
            best_order = candidate;
        }
    }
    (void)first_fit(best_order);
}

}  // namespace

void lay_out_shared(std::vector<block::Region>& regions, const std::vector<block::Lifetime>& lives) {
    std::vector<Placed> shared;
    for (std::size_t k = 0; k < regions.size(); ++k)
        if (regions[k].where == Residence::shared) shared.push_back({&regions[k], lives[k]});
    place_all(shared);
    for (const Placed& placed : shared) placed.region->place = placed.place;
}

}  // namespace kasc
