#pragma once
// What the pass that places barriers looks at: the steps with what they touch of shared memory, a loop with rings as
// the steps of several iterations. Internal to the stage.

#include <optional>
#include <vector>

#include "block/block_program.hpp"

namespace kasc::block {

/// One touch of shared memory in one pass over its step.
struct Access {
    std::size_t number = 0;  ///< its own among all
    std::size_t pass = 0;
    const Touch* touch = nullptr;
    TilePitch pitch;         ///< of its region
    int begin = 0, end = 0;  ///< the copy of the region, in words of the block's memory
    [[nodiscard]] bool writes() const { return touch->writes; }
};

/// One pass over a step: of a loop with rings a step is passed once a copy.
struct Pass {
    std::size_t step = 0;
    std::vector<Access> accesses;
};

[[nodiscard]] std::vector<Pass> passes_over(const BlockProgram& program);

[[nodiscard]] bool lie_over(const Access& a, const Access& b);
/// A word that two different threads touch in the two accesses; the first in the order of `later`.
struct Witness {
    int word = 0;  ///< of the kernel's block
    int earlier_thread = 0, later_thread = 0;
};
constexpr int any_thread = -1;  ///< of a copy: which thread takes a word is not known
[[nodiscard]] std::optional<Witness> shared_word(const Access& earlier, const Access& later);

}  // namespace kasc::block
