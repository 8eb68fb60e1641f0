#pragma once
// The least and the largest of many cells, at the rate at which memory is read.

#include <cstdint>
#include <limits>

#include "foundation/cell_type.hpp"

namespace kasc {

struct Extremes {
    double least = std::numeric_limits<double>::infinity();  ///< as they are here: there is none
    double most = -std::numeric_limits<double>::infinity();
};

/// NaN is neither. Complex cells count with their real parts.
[[nodiscard]] Extremes extremes_of(CellType type, const void* cells, std::uint64_t count);
/// The same by all cores.
[[nodiscard]] Extremes all_extremes_of(CellType type, const void* cells, std::uint64_t count);

}  // namespace kasc
