#pragma once
// Positions that are one for all cells, T[x = px] and on[t = n]: whether all that a run comes to lie in the grid can be
// told before it begins.

#include <vector>

#include "foundation/diagnostic.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// K0749, of integers that are divided by zero (contract/zero_divisors); else K0746, of each position the first
/// iteration at which it lies outside of its axis, or is assigned in a layer that the boundary keeps. `parameters`,
/// `extents` as kasc_entry_call has them. A program that is run all the same refuses that iteration itself. In loops
/// with millions of iterations, the first and the last ones are looked at.
[[nodiscard]] Diagnostics check_uniform_positions(const Program& program, const std::vector<double>& parameters,
                                                  const std::vector<long long>& extents);

}  // namespace kasc
