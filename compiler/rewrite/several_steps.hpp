#pragma once
// Loops whose steps read at neighbours what the step before has made, with several steps behind each other: one kernel
// may have them all, each some planes behind the one before (schedule/pipeline), and what is between them never leaves
// the chip.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct StepsVerdict {
    std::string loop;
    Verdict verdict;
};

struct SeveralSteps {
    /// Ids of the program stay, new loops have the last; the same words of all results.
    Program program;
    std::vector<StepsVerdict> verdicts;  ///< of loops that read neighbours
    bool changed = false;
};

/// Requires: `together` is at least 2.
[[nodiscard]] SeveralSteps several_steps(const Program& program, int together);

}  // namespace kasc
