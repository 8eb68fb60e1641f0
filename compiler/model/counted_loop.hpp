#pragma once
// How often the host runs a loop: in the runs of the loops around it, whose variables its bounds may ask for, as those
// of an `if` do; of several iterations at a time, or of those that are left for the rest of a loop.

#include <map>
#include <vector>

#include "model/prediction.hpp"

namespace kasc {

/// Variables of loops, in one iteration of each.
using LoopIndices = std::map<LoopId, double>;

struct CountedLoop {
    double iterations = 1;          ///< in each run of what stands around the loop, on average
    std::vector<LoopIndices> runs;  ///< of the body, some of all evenly: variables of the loop and of those around it
};

/// As far as extents and values of parameters settle the bounds, else as estimated_iterations. `around`: runs of what
/// stands around the loop.
[[nodiscard]] CountedLoop counted_loop(const Program& program, LoopId loop, const ExpressionRef& from,
                                       const ExpressionRef& to, bool may_end_earlier, const Problem& problem,
                                       const std::vector<LoopIndices>& around = {{}});

}  // namespace kasc
