#pragma once
// Loops whose steps are linear in one field, alike in all cells: what one step does to each wave is then a number, the
// step's symbol, and n steps multiply the wave by its n-th power (rewrite/modes.hpp).

#include <optional>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc::rewriting {

/// What is seen beyond the two faces of an axis, as what a longer periodic axis has there.
enum class Wall {
    none,      ///< nothing: no step looks along this axis
    periodic,  ///< a b c | a b c
    even,      ///< a b c | c b a           of `mirror`
    odd,       ///< a b c | -c -b -a        of `-mirror`
    zero,      ///< 0 a b c | 0 -c -b -a    of `value(0)`, next to which a cell is all that steps look at
};

struct LinearStep {
    VariableId field;         ///< that goes on from step to step; what else a step assigns is made of it
    std::vector<Wall> walls;  ///< by axis of the field
    std::size_t first = 0;    ///< axis along which steps look,
    std::size_t last = 0;     ///< and the last one
    bool is_real = false;     ///< neighbours on both sides count alike, along every axis: so is the symbol
};

struct FoundStep {
    Verdict verdict;
    std::optional<LinearStep> step{};  ///< where the verdict is yes
};

/// The linear step of a loop anywhere in the program.
[[nodiscard]] FoundStep linear_step(const Program& program, const LoopStatement& loop);

}  // namespace kasc::rewriting
