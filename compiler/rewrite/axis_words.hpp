#pragma once
// Axes of few cells as words of the cells along the others: of populations in as many directions, components of a
// vector, colours of a pixel. What has its cells in one thread needs no kernel of its own to sum them up:
//
//     float f[x, y, q], ex[q] = {0, 1, …};         u_0 = 0*f_0 …
//     u = sum(ex*f, q)/sum(f, q);            ->    u = double(0*f_0) + double(1*f_1) + … / …
//     f = f + (equilibrium - f)/tau;               f_0 = f_0 + (equilibrium_0 - f_0)/tau; f_1 = …
//
// Sums are in the order of the language (Fold), so that no word of a result differs. Lists of constants along the axis
// are numbers of the text. Where a caller has such a field, it is read in place as long as nothing assigns it, else
// copied at the start, and back at the end.

//
// A window is a fold along axes that no field has beside others: its cells are neighbours, and positions that are
// computed of where it stands,
//
//     axis i = 3; axis j = 3;                      u_parts_0 = 0 + double(v[-1,-1]) + …
//     u = sum(v[x = x + i - 1, y = y + j - 1], i, j);
//
// in place of a kernel whose blocks fold each result's few cells by lanes.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct AxisVerdict {
    std::string axes;  ///< "axis q", "axes i, j"
    Verdict verdict;
};

struct AxisWords {
    /// Ids of the program stay, new variables have the last; the same words of all results.
    Program program;
    std::vector<AxisVerdict> verdicts;  ///< of axes of few cells, whose length is written in the text
    bool changed = false;
};

/// Requires: a program over fields.
[[nodiscard]] AxisWords axis_words(const Program& program);
/// The same with axes of twice as many cells, where a loop sums along them: such a loop runs within a kernel then, of
/// which threads have many registers. Unchanged where there is none; verdicts are of these alone.
[[nodiscard]] AxisWords axis_words_of_loops(const Program& program);

}  // namespace kasc
