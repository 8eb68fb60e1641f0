#pragma once
// Which integers serve a program as data, as far as its text tells: so that it can be run on drawn ones.
//
//     T[x = px] += e;             px from 0 to extent(x) - 1, of a boundary keep(2) from 2 to extent(x) - 3
//     require(kind > 0);          kind from 1 to 16
//     hot = label == 3 ? 1 : 0;   nothing is known of label: from 0 to 15

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

struct IntegerRange {
    long long low = 0, high = 0;  ///< both among them
    [[nodiscard]] bool is_empty() const { return low > high; }
    [[nodiscard]] long long size() const { return high - low + 1; }
};

/// By input; of one of reals it has no meaning. An input that stands at positions has a range within which all of
/// these lie on the grid; empty: there is none. That it is a good one, check_data tells of what was drawn.
[[nodiscard]] std::vector<IntegerRange> integer_ranges(const Program& program, const std::vector<double>& parameters,
                                                       const std::vector<long long>& extents);

}  // namespace kasc
