// Sharing space costs barriers: a value that takes the place of one that has just been read waits for its readers.
//
//     load A | f (reads A, writes M)   load c | g (reads M, c)      c elsewhere: loaded beside f, one barrier fewer
//     load A | f (reads A, writes M) | load c | g (reads M, c)      c in the place of A
//
// So two layouts are made. The tight one lets a value take a place right after its last reader. The loose one finds
// the barriers that stand where no space is shared, and lets a value take a place only across one of those. The loose
// one is taken where it saves a barrier and costs nothing: it is no larger, or does not limit how many threads fit.

#include <algorithm>

#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

// Shared memory a resident thread may take before it limits occupancy: 164 KiB for 2048 threads (compute capability
// 8.0) are 82 bytes, 228 KiB (9.0) are 114: 20 words suit both.
constexpr int free_words_a_thread = 20;

int kept(const std::vector<BarrierDecision>& barriers) {
    return static_cast<int>(std::count_if(barriers.begin(), barriers.end(), [](const auto& b) { return b.needed; }));
}

SharedSpace tight_space(const StreamTask& task, std::vector<Placement> placements, const std::vector<Step>& steps) {
    SharedSpace space{std::move(placements), 0, {}};
    space.words = lay_out_shared(space.placements);
    space.barriers = decide_barriers(task, space.placements, steps);
    return space;
}

/// The barriers that remain where every value has a place of its own.
std::vector<BarrierDecision> unshared_barriers(const StreamTask& task, std::vector<Placement> placements,
                                               const std::vector<Step>& steps) {
    int next = 0;
    for (Placement& placement : placements) {
        if (placement.where == Residence::registers) continue;
        placement.offset = next;
        next += placement.words;
    }
    return decide_barriers(task, placements, steps);
}

SharedSpace loose_space(const StreamTask& task, const std::vector<Placement>& placements,
                        const std::vector<Step>& steps) {
    std::vector<Placement> stretched = placements;
    const std::vector<BarrierDecision> barriers = unshared_barriers(task, placements, steps);
    for (Placement& placement : stretched) {
        int begin = 0, end = static_cast<int>(steps.size());
        for (const BarrierDecision& barrier : barriers) {
            if (!barrier.needed) continue;
            if (barrier.before <= placement.first_step) begin = std::max(begin, barrier.before);
            if (barrier.before > placement.last_step) end = std::min(end, barrier.before);
        }
        placement.first_step = begin;
        placement.last_step = end - 1;
    }
    SharedSpace space{placements, lay_out_shared(stretched), {}};
    for (std::size_t k = 0; k < stretched.size(); ++k) space.placements[k].offset = stretched[k].offset;
    space.barriers = decide_barriers(task, space.placements, steps);
    return space;
}

}  // namespace

SharedSpace share_space(const StreamTask& task, const std::vector<Placement>& placements,
                        const std::vector<Step>& steps, int threads) {
    SharedSpace tight = tight_space(task, placements, steps);
    SharedSpace loose = loose_space(task, placements, steps);
    const int free_words = std::max(tight.words, std::min(free_words_a_thread * threads, task.max_shared_bytes / 4));
    return kept(loose.barriers) < kept(tight.barriers) && loose.words <= free_words ? loose : tight;
}

}  // namespace kasc
