// Sharing space costs barriers: a value that takes the place of one that has just been read waits for its readers.
//
//     load A | f (reads A, writes M)   load c | g (reads M, c)      c elsewhere: loaded beside f, one barrier fewer
//     load A | f (reads A, writes M) | load c | g (reads M, c)      c in the place of A
//
// So two layouts are made. The tight one lets a value take a place right after its last reader. The loose one finds
// the barriers that stand where no space is shared, and lets a value take a place only across one of those. The loose
// one is taken where it saves a barrier and costs nothing: it is no larger, or does not limit how many threads fit.

#include <algorithm>
#include <optional>

#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

// Shared memory a resident thread may take before it limits occupancy: 164 KiB for 2048 threads (compute capability
// 8.0) are 82 bytes, 228 KiB (9.0) are 114: 80 bytes suit both.
constexpr int free_bytes_a_thread = 80;

/// A layout of the block's regions and the barriers that it needs.
struct SharedSpace {
    std::vector<std::optional<int>> places;  ///< by region
    int bytes = 0, barriers_met = 0;
    std::vector<BarrierDecision> barriers;
};

SharedSpace space_for(block::BlockProgram& block, const std::vector<block::Lifetime>& lives) {
    lay_out_shared(block.regions, lives);
    block = with_barriers(std::move(block));
    SharedSpace space{{}, shared_bytes(block), barriers_met(block), std::move(block.barriers)};
    for (const block::Region& region : block.regions) space.places.push_back(region.place);
    return space;
}

/// Each region lives from one of the barriers to another that stand where all lie apart.
std::vector<block::Lifetime> stretched(const std::vector<block::Lifetime>& lives,
                                       const std::vector<BarrierDecision>& apart, int steps) {
    std::vector<block::Lifetime> all;
    for (const block::Lifetime& life : lives) {
        int begin = 0, end = steps;
        for (const BarrierDecision& barrier : apart) {
            if (!barrier.needed) continue;
            if (barrier.before <= life.first) begin = std::max(begin, barrier.before);
            if (barrier.before > life.last) end = std::min(end, barrier.before);
        }
        all.push_back({begin, end - 1});
    }
    return all;
}

}  // namespace

block::BlockProgram share_space(const StreamTask& task, block::BlockProgram block, int threads) {
    const std::vector<block::Lifetime> lives = lifetimes(block);
    block = with_barriers(std::move(block));  // all regions lie apart
    const auto loose_lives = stretched(lives, block.barriers, static_cast<int>(block.steps.size()));
    SharedSpace tight = space_for(block, lives);
    SharedSpace loose = space_for(block, loose_lives);
    const int free_bytes = std::max(tight.bytes, std::min(free_bytes_a_thread * threads, task.max_shared_bytes));
    SharedSpace& taken = loose.barriers_met < tight.barriers_met && loose.bytes <= free_bytes ? loose : tight;
    for (std::size_t k = 0; k < block.regions.size(); ++k) block.regions[k].place = taken.places[k];
    block.barriers = std::move(taken.barriers);
    return block;
}

}  // namespace kasc
