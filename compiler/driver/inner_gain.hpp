#pragma once
// What running loops within kernels saves, before a program with such loops is planned whole.

#include "driver/compilation.hpp"
#include "rewrite/inner_loops.hpp"

namespace kasc {

/// Nanoseconds: of the plan's kernels that compute statements of marked loops, unrolled or launched an iteration, less
/// what kernels take that run those loops, alone or with the calls beside them that may stand there. Loops that gain
/// nothing count for nothing.
[[nodiscard]] double gain_of_inner_loops(const CheckedProgram& checked, const PlannedGraph& planned,
                                         const Program& marked, const SearchBounds& bounds);

}  // namespace kasc
