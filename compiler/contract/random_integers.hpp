#pragma once
// Integers drawn for a program's inputs, such that it can be run on them.

#include <cstddef>
#include <vector>

#include "contract/integer_ranges.hpp"
#include "foundation/outcome.hpp"

namespace kasc {

/// Words by input, none of an input of reals; the same at every call. Each is drawn from its range (integer_ranges);
/// of a list whose entries must be different cells they are. K0908: the program asks for more of them.
[[nodiscard]] Outcome<std::vector<std::vector<std::byte>>> random_integers(const Program& program,
                                                                           const std::vector<double>& parameters,
                                                                           const std::vector<long long>& extents);

}  // namespace kasc
