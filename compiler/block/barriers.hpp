#pragma once
// Where the barriers of a block stand: one pass over what its steps touch of shared memory, for kernels of every kind.

#include <functional>
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

/// The barrier before a step, or behind the last; null: none is needed.
[[nodiscard]] const BarrierDecision* needed_before(const std::vector<BarrierDecision>& decisions, std::size_t step);

namespace block {

/// Why a barrier that one iteration of a loop asked for is not needed.
inline constexpr const char* others_stand_between =
    "the other barriers of the loop stand between all that touch the same words";

/// What a step touches of one region of the block's shared memory. Either the words of each thread, or a copy by all
/// threads together, of which nobody may rely on who takes which word.
struct SharedTouch {
    int begin = 0, end = 0;             ///< the region, in words of the block's memory
    const AddressSet* words = nullptr;  ///< from `begin` on
    const std::vector<int>* threads{};  ///< entry k of `words` is of thread threads[k]; null: of thread k
    int copied_words = 0;               ///< of a copy
    TilePitch copied_pitch;
    bool writes = false;
};

enum class StepMark { none, loop_begin, loop_end };
/// Loops repeat the steps between their marks, which touch nothing.
struct SharedStep {
    StepMark mark = StepMark::none;
    bool may_skip = false;  ///< of a loop_begin: the loop may run no iteration
    std::vector<SharedTouch> touches;
};

/// How reasons name things.
struct StepTexts {
    std::function<std::string(std::size_t step)> label;  ///< "load A", "mmul33_1"
    std::function<std::string(std::size_t step)> actor;  ///< "the load", "mmul33_1": who waits
    std::function<std::string(std::size_t step)> made;   ///< "loaded", "computed": what it has done with what it wrote
    std::function<std::string(std::size_t step, std::size_t touch)> region;
    std::function<std::size_t(std::size_t step)> number{};  ///< none: its own
};

/// One decision before each step that touches shared memory and, where rounds repeat, one at the end of a round. As few
/// barriers as any choice of their places needs. Rules: see barriers.cpp.
[[nodiscard]] std::vector<BarrierDecision> decide_barriers(const std::vector<SharedStep>& steps, bool rounds,
                                                           const StepTexts& texts);
/// With barriers in front of these steps alone no two threads touch a word, one of them writing it, without one
/// between.
[[nodiscard]] bool barriers_suffice(const std::vector<SharedStep>& steps, const std::vector<int>& before);

}  // namespace block
}  // namespace kasc
