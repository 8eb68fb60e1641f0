#pragma once
// Whether what a program computes along waves is the same of a block as of the grid.

#include <vector>

#include "basis/domains.hpp"

namespace kasc::basis {

/// A wave has another number in a block than in the grid, which has other extents: what statements along waves compute
/// must follow from the number over the extent. It is tried: of wave i among n, and of wave 2 i among 2 n, which is the
/// same one, the same has to come out.
///
///   k = 6.28 / extent(x) * (x < (extent(x) + 1) / 2 ? x : x - extent(x))     right
///   k = 6.28 / N * …, with a parameter N                                     K0818
///
/// `extents`, `parameters`: of the grid's run; a parameter without a value is NaN.
[[nodiscard]] Diagnostics check_wave_numbers(const Program& program, const Domains& domains,
                                             const std::vector<long long>& extents,
                                             const std::vector<double>& parameters);

}  // namespace kasc::basis
