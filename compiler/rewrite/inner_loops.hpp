#pragma once
// Loops that a kernel may run, each cell for itself: no cell of an iteration looks at another cell that the loop
// assigns, but along axes on which all that it assigns stands at positions of the iteration.
//
//     for (n = 0; n < 100; n++) { z = z*z + c; }                       every cell iterates by itself
//     for (k = 1; k < extent(z); k++) { s[z = k] = s[z = k - 1] + a[z = k]; }     a thread has a line along z
//     for (n = 0; n < steps; n++) { T = T + r*(T[-1] + T[1]); }                   a cell looks at its neighbours: no
//
// On a GPU a launch an iteration takes microseconds and sends what cells carry through memory; within a kernel they
// stay in registers. What an iteration computes is the same word by word.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct InnerVerdict {
    LoopId id;
    std::string loop;
    Verdict verdict;
};

struct InnerLoops {
    Program program;                     ///< with the loops marked (Loop::inside)
    std::vector<InnerVerdict> verdicts;  ///< of all innermost loops, in the program's order
    bool changed = false;
};

[[nodiscard]] InnerLoops inner_loops(const Program& program);

}  // namespace kasc
