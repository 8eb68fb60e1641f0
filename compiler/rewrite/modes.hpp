#pragma once
// Many steps at once: n steps that are linear in a field, and alike in all cells, multiply each of its waves by the
// n-th power of one number, so that a transform, a product and the way back are all of them.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct ModesVerdict {
    std::string loop;
    Verdict verdict;
};

struct Modes {
    /// The same in exact arithmetic; ids of the program stay, new variables have the last.
    Program program;
    std::vector<ModesVerdict> verdicts;  ///< of each loop
    bool changed = false;
};

/// Requires: the program has axes for waves (with_mode_axes).
[[nodiscard]] Modes modes_of_loops(const Program& program);

/// By how much results of `steps` steps may differ from those of the program as written, which rounds after each of
/// them: relative to the largest.
[[nodiscard]] double tolerance_of_modes(const Program& program, double steps);

}  // namespace kasc
