#pragma once
// How often the host runs a loop: in the runs of the loops around it, whose variables its bounds may ask for, as those
// of an `if` do; of several iterations at a time, or of those that are left for the rest of a loop.

#include <map>
#include <vector>

#include "model/prediction.hpp"

namespace kasc {

struct CountedLoop {
    double iterations = 1;          ///< in each run of what stands around the loop, on average
    std::vector<LoopIndices> runs;  ///< of the body, some of all evenly: variables of the loop and of those around it
};

/// As far as extents and values of parameters settle the bounds, else as estimated_iterations. In the problem's runs.
[[nodiscard]] CountedLoop counted_loop(const Program& program, LoopId loop, const ExpressionRef& from,
                                       const ExpressionRef& to, bool may_end_earlier, const Problem& problem);
/// The problem of what stands in it.
[[nodiscard]] Problem problem_within(const CountedLoop& loop, Problem around);

}  // namespace kasc
