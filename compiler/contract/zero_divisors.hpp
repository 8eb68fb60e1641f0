#pragma once
// Integers that are the same for all cells may be divided by parameters and lengths: n % every, of which the host would
// end by a signal where every is 0.

#include <vector>

#include "foundation/diagnostic.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// K0749, of each divisor that parameters and lengths alone make and that is 0, unless a condition that they make
/// leaves it out.
[[nodiscard]] Diagnostics check_divisors(const Program& program, const std::vector<double>& parameters,
                                         const std::vector<long long>& extents);

}  // namespace kasc
