#pragma once
// Loops that a kernel may run: each cell for itself, where no cell of an iteration looks at another cell that the loop
// assigns, but along axes on which all that it assigns stands at positions of the iteration; else a block for whole
// lines, along the axes on which cells look at each other (graph/loop_lines.hpp).
//
//     for (n = 0; n < 100; n++) { z = z*z + c; }                       every cell iterates by itself
//     for (k = 1; k < extent(z); k++) { s[z = k] = s[z = k - 1] + a[z = k]; }     a thread has a line along z
//     for (n = 0; n < steps; n++) { T = T + r*(T[-1] + T[1]); }                   a block has lines of cells
//     for (n = 0; n < steps; n++) { T = T + r*T[x = 0]; }                         all look at one cell: likewise
//     for (n = 0; n < steps; n++) { T = T + r*T[x = 2*n + k]; }                   it may be beyond the grid: no
//
// Statements over fewer cells than others of their loop are a loop of their own (rewrite/loops_apart), or each of the
// others' cells computes them alike (rewrite/alike_cells); what all cells look at each looks for (rewrite/looked_for).
// On a GPU a launch an iteration takes microseconds and sends what cells carry through memory; within a kernel they
// stay in registers, or in the block's shared memory. What an iteration computes is the same word by word.

#include <functional>
#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct InnerVerdict {
    LoopId id;
    std::string loop;
    Verdict verdict;
    std::vector<AxisId> along{};  ///< of the lines that a block has; none: each cell runs its iterations by itself
};

struct InnerLoops {
    Program program;                     ///< with the loops marked (Loop::inside), see rewrite/looked_for
    std::vector<InnerVerdict> verdicts;  ///< of all innermost loops, in the program's order
    bool changed = false;
};

/// `fits`: whether the device can have a loop that may run inside; the verdict is what becomes of it.
[[nodiscard]] InnerLoops inner_loops(
    const Program& program,
    const std::function<Verdict(const InnerVerdict&)>& fits = [](const InnerVerdict& loop) { return loop.verdict; });

}  // namespace kasc
