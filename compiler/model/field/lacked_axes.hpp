#pragma once
// What blocks along an axis read again of a value that lacks it: of 64 sums over 32 fields, a block for each sum and
// part of the grid, each reads these fields once more.

#include <functional>
#include <vector>

#include "model/field/facts.hpp"

namespace kasc::model {

struct ReadAgain {
    double l2_bytes = 0;      ///< from L2, beyond once
    double missed_bytes = 0;  ///< of these from memory
};
/// `tile`: cells of a block, by axis; `missed`: the share that L2 does not hold any more behind so many bytes.
[[nodiscard]] ReadAgain read_along_lacked(const FieldFacts& facts, const std::vector<double>& tile,
                                          const std::function<double(double between)>& missed);

}  // namespace kasc::model
