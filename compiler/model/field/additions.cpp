// Additions to words of memory go through L2, which does few of them at a time where they meet in few of its slices.
// Those to a block's copies are accesses of shared memory, and what the copies are then goes to memory, side by side:
//
//   2^26 entries, 256 cells     in memory 2^26 / 4 ns = 17 ms       in 1056 blocks 1056 * 256 / 32 ns = 0.01 ms
//
// Threads of a warp that have a copy each never meet. Of fewer copies several threads have one, and two of them want
// the same bank the more often, the more there are: 32 balls in 32 bins leave 3.5 in the fullest.
#include "model/field/additions.hpp"

#include <algorithm>
#include <cmath>

#include "model/constants.hpp"
#include "schedule/field/walk/histogram.hpp"

namespace kasc::model {

namespace {

/// Additions to words of memory at random, a ns.
double additions_a_ns(double cells) {
    return std::min(most_additions_a_ns, additions_to_few_a_ns * std::max(1.0, cells / few_cells));
}

/// Passes of an access of a warp.
double passes(int copies) {
    return std::min(passes_of_one_copy, 1 + passes_a_halving * std::log2(most_histogram_copies / copies));
}

}  // namespace

void add_additions(Demand& demand, const FieldFacts& facts, const FieldSchedule& schedule) {
    const bool copied = schedule.choice.walk == Walk::histogram;
    for (std::size_t k = 0; k < facts.additions.size(); ++k) {
        const Additions& a = facts.additions[k];
        if (!copied) {
            demand.extra_compute_ns += facts.cells / additions_a_ns(a.cells);
            continue;
        }
        const auto cells = static_cast<std::int64_t>(a.cells);
        const int copies = std::max(1, histogram_copies(schedule.block->regions[k].words, cells));
        const double words = a.cells * copies * demand.blocks;
        demand.shared_lines += facts.cells / line_words * shared_addition_passes * passes(copies) * a.word / 4;
        demand.shared_lines += 2 * words * a.word / 4 / line_words;
        demand.instructions += copied_word_instructions * words;
        const double a_block = std::min(a.cells, facts.cells / std::max(1.0, demand.blocks));
        demand.extra_compute_ns += demand.blocks * a_block / (additions_a_ns(a.cells) * l2_sector_bytes / a.word);
    }
}

}  // namespace kasc::model
