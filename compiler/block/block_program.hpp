#pragma once
// What a block of a kernel does, between the search's choice and kernel IR: the regions of values that it holds, and
// its steps in order. The barriers follow from it, the model counts it, and the lowering prints it. Two planes of a
// tile in turn, for a walk along an axis:
//
//   region  T_tile   36 × 12 words, 2 copies, shared
//   loop
//     copy     T_tile, copy 0 of this iteration       all threads, whichever word
//     compute  reads T_tile, copy 0                   each thread the words around its cells
//   end
//
// A ring's copies take turns: copy k of an iteration is copy (iteration + k) % copies of the region.

#include <memory>
#include <string>
#include <vector>

#include "block/barriers.hpp"

namespace kasc::block {

enum class Residence { registers, shared };

struct Region {
    std::string name;  ///< of the values: as reasons call it
    Residence where = Residence::shared;
    int words = 0;   ///< of one copy, halo and padding included; in registers: of a thread
    int copies = 1;  ///< of a ring
    int word_bytes = 4;
    std::string what{};  ///< for who reads the emitted kernel
};

/// copy: between memory and a region, all threads together. compute: calls, at cells. fold: cells into accumulators.
/// exchange: words of a region from thread to thread. move: words within the registers of each thread. store: results
/// into memory.
enum class StepKind { copy, compute, fold, exchange, move, store, loop_begin, loop_end };

/// What a step touches of one region: the words of each thread, or a copy of which nobody may rely on who takes which.
struct Touch {
    std::size_t region = 0;
    int copy = 0;  ///< of a ring, counted from the iteration's own
    bool writes = false;
    std::shared_ptr<const AddressSet> words{};  ///< from the copy's first word on; null: a copy by all threads
    std::vector<int> threads{};                 ///< entry k of `words` is of thread threads[k]; empty: of thread k
    int copied_words = 0;
    TilePitch copied_pitch{};
};

struct Step {
    StepKind kind = StepKind::compute;
    std::string label{}, actor{}, made{};  ///< as StepTexts
    std::vector<Touch> touches{};
    bool may_skip = false;  ///< of a loop_begin: the loop may run no iteration
    int iterations = 1;     ///< of a loop_begin: at most
};

struct BlockProgram {
    std::vector<Region> regions;
    std::vector<Step> steps;
    std::vector<BarrierDecision> barriers{};  ///< by step: with_barriers
};

/// The program with its barriers decided. Of a loop with rings the steps of as many iterations as the longest has
/// copies are looked at; a barrier that one of them needs stands in all. Requires: loops with rings hold no loop, and
/// the copies of their rings divide the longest's.
[[nodiscard]] BlockProgram with_barriers(BlockProgram program);

/// The barrier in front of a step; null: none is needed.
[[nodiscard]] const BarrierDecision* barrier_before(const BlockProgram& program, std::size_t step);
/// That a block meets, where each loop runs all of its iterations.
[[nodiscard]] int barriers_met(const BlockProgram& program);
/// Of all shared regions, each from a multiple of 16 bytes on.
[[nodiscard]] int shared_bytes(const BlockProgram& program);

}  // namespace kasc::block
