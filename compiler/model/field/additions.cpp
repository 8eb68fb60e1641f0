// Additions to words of memory go through L2, which does few of them at a time where they meet in few of its slices.
// Those to a block's copies are accesses of shared memory, and what the copies are then goes to memory, side by side:
//
//   2^26 entries, 256 cells     in memory 2^26 / 4 ns = 17 ms       in 1056 blocks 1056 * 256 / 32 ns = 0.01 ms
//
// In pieces each thread reads and writes a word of its own, sets it to zero before, and reads it again to join it: 2^26
// entries of 64 cells are 2^21 accesses of a warp and as many again, and 16384 pieces of 64 * 32 words half as many.
//
// Threads of a warp that have a copy each never meet. Of fewer copies several threads have one, and two of them want
// the same bank the more often, the more there are: 32 balls in 32 bins leave 3.5 in the fullest.
#include "model/field/additions.hpp"

#include <algorithm>
#include <cmath>

#include "frontend/list_entries.hpp"
#include "model/constants.hpp"
#include "schedule/field/walk/histogram.hpp"
#include "schedule/field/walk/pieces.hpp"

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

void add_pieces(Demand& demand, const FieldFacts& facts, const FieldSchedule& schedule) {
    const double pieces = demand.blocks * warps_of_pieces(schedule.choice);
    for (const Additions& a : facts.additions) {
        const double words = a.cells * piece_lanes * pieces;
        demand.shared_lines += 2 * (facts.cells + words) / line_words * a.word / 4;
        demand.instructions += lane_instructions * facts.cells + joined_word_instructions * words;
    }
}

}  // namespace

double additions_wait_ns(const FieldSchedule& schedule) {
    const bool waits = adds_in_pieces(schedule.plan()) && schedule.choice.walk != Walk::row;
    return waits ? own_word_ns * schedule.choice.chunk : 0;
}

void add_additions(Demand& demand, const FieldFacts& facts, const FieldSchedule& schedule) {
    if (adds_in_pieces(schedule.plan())) return add_pieces(demand, facts, schedule);
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
