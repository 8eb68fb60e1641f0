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
#include <optional>
#include <string>
#include <vector>

#include "patterns/pattern.hpp"

namespace kasc {

/// How a tile in shared memory spreads its words: `padding` words follow each element.
struct TilePitch {
    int element_words = 1;
    int padding = 0;
    [[nodiscard]] int at(int word) const { return word + word / element_words * padding; }
    bool operator==(const TilePitch&) const = default;
};

/// Before step `before`; before == the number of steps: at the end of a round, where rounds repeat the steps.
struct BarrierDecision {
    int before = 0;
    bool needed = true;
    std::string reason;  ///< which region, which two steps, which rule
    std::string waits;   ///< of a needed one: the same for a reader of the emitted kernel, without numbers
};

namespace block {

enum class Residence { registers, shared };

struct Region {
    std::string name;  ///< of the values: as reasons call it
    Residence where = Residence::shared;
    int words = 0;   ///< of one copy, halo and padding included; in registers: of a thread
    int copies = 1;  ///< of a ring
    int word_bytes = 4;
    std::string what{};  ///< for who reads the emitted kernel
    TilePitch pitch{};   ///< how the words of its elements spread
    /// Its first word in the block's shared memory, where regions that are not needed at once lie over each other;
    /// none: it lies apart from all others.
    std::optional<int> place{};
};

/// copy: from memory into a region. compute: calls, at cells or elements. fold: cells into accumulators. exchange:
/// words of a region from thread to thread. move: each thread its own words, within a region or from one to another.
/// store: results into memory.
enum class StepKind { copy, compute, fold, exchange, move, store, loop_begin, loop_end };

/// What a step touches of one region: the words of each thread, or a copy of which nobody may rely on who takes which.
struct Touch {
    std::size_t region = 0;
    int copy = 0;  ///< of a ring, counted from the iteration's own
    bool writes = false;
    std::shared_ptr<const AddressSet> words{};  ///< from the copy's first word on; null: a copy by all threads
    std::vector<int> threads{};                 ///< entry k of `words` is of thread threads[k]; empty: of thread k
    int copied_words = 0;                       ///< of a copy: word k lies at the region's pitch.at(k)
};

struct Step {
    StepKind kind = StepKind::compute;
    std::string label{};  ///< "load A", "mmul33_1"
    std::string actor{};  ///< who waits: "the load", "mmul33_1"
    std::string made{};   ///< what it has done with what it wrote: "loaded", "computed"
    std::vector<Touch> touches{};
    bool may_skip = false;      ///< of a loop_begin: the loop may run no iteration
    int iterations = 1;         ///< of a loop_begin: at most; 1 where the schedule does not know
    bool asynchronous = false;  ///< of a copy: under way until a barrier awaits it
};

struct BlockProgram {
    std::vector<Region> regions;
    std::vector<Step> steps;
    std::vector<BarrierDecision> barriers{};  ///< by step: with_barriers
    bool rounds = false;                      ///< the steps repeat; no round reads what another left
};

/// The program with its barriers decided: one decision before each step that touches shared memory and, where rounds
/// repeat, one at the end of a round. As few barriers as any choice of their places needs. Rules: barriers.cpp. In a
/// loop with rings, the steps of as many iterations are looked at as it takes until all rings begin anew; a barrier
/// that one of them needs stands in all. Requires: loops with rings hold no loop; the words of regions with a place are
/// of one size.
[[nodiscard]] BlockProgram with_barriers(BlockProgram program);

/// Another program with the same steps, of which each touches the same copies, whichever thread takes which word: it
/// has the same barriers. Only sizes of regions may differ.
[[nodiscard]] bool differ_in_sizes(const BlockProgram& a, const BlockProgram& b);

/// The program whose loops run so many iterations each: barriers are the same for any number of them.
[[nodiscard]] BlockProgram with_iterations(BlockProgram program, int iterations);

/// The barrier in front of a step, or behind the last; null: none is needed.
[[nodiscard]] const BarrierDecision* barrier_before(const BlockProgram& program, std::size_t step);
/// Barriers that a block meets in a round, where each loop runs all of its iterations, or so many.
[[nodiscard]] int barriers_met(const BlockProgram& program, std::optional<int> iterations = {});
/// Bytes of all shared regions, each from a multiple of 16 bytes on.
[[nodiscard]] int shared_bytes(const BlockProgram& program);

/// From one step to another, both included; of what no step touches the first lies behind the last.
struct Lifetime {
    int first = 0, last = 0;
};
/// By region: from its first touch to its last. What a loop touches of regions that are touched outside of it as well
/// lives as long as the loop, and so does a ring, whose copies outlive an iteration.
[[nodiscard]] std::vector<Lifetime> lifetimes(const BlockProgram& program);
/// By step, and at the end of a round: how many of the asynchronous steps before it, each a group of copies, may still
/// be under way behind a barrier in front of it; none: it awaits no copies. It does where one of them may bring what is
/// touched before the next barrier; what comes after it and is touched later stays under way.
[[nodiscard]] std::vector<std::optional<int>> awaits_copies(const BlockProgram& program);
/// All threads of the block together, whichever word: who takes which is not known.
[[nodiscard]] bool copies_together(const Step& step);

}  // namespace block
}  // namespace kasc
