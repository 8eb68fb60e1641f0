#pragma once
// Loops that end by what they compute, without a wait at each iteration: on a GPU the host launches some iterations one
// after the other and looks only then how far the loop came. Kernels of iterations that are too many compute nothing:
//
//   loop k while goes_on > 0                look                            goes_on = 7: 6 iterations have ended
//     launch k0 (p → q)                     launch k0 … k2 of iteration 6   goes_on = 8
//     launch k1 (p, q → p)                  launch k0 … k2 of iteration 7   goes_on = -8: the condition fails
//     launch k2 (p → goes_on)               launch k0 … k2 of iterations 8 and 9: each kernel sees -8, and leaves
//                                           look                            goes_on = -8: 8 iterations have ended
//
// The number (frontend/conditions.hpp) is stored by one kernel, the last of an iteration and a thread of its own, so
// that all threads of all others find the same. That kernel is left as well once the loop has ended: the number stays.
// Arrays that changed places behind the last iteration that ran change back. So arrays, and the loop's variable, are
// what they are where the host looks each time.
//
// A branch (a loop of one iteration at most) of few launches, or within such a loop, is launched and never asked for.

#include <string>
#include <vector>

#include "plan/host_plan.hpp"

namespace kasc {

/// Iterations that are launched without a look: 1, then twice as many each time, up to so many. A look costs an H100 10
/// to 15 µs (benchmarks/results/2026-11-24-h100-conditions.md), a launch that computes nothing some 2: what a loop
/// loses at its end is less than it took, and a sixteenth of a look is lost in the gaps between launches.
constexpr int most_ahead = 16;

struct AheadVerdict {
    std::string loop;
    Verdict verdict;
};
struct AheadPlan {
    HostPlan plan;
    std::vector<AheadVerdict> verdicts;  ///< one a loop with a condition, outer loops first
};

/// Sets LoopStep::looking, and the guards of kernels. Before graphs are captured.
[[nodiscard]] AheadPlan run_ahead(HostPlan plan, const Program& program);

/// Positions of a loop's kernels that change with its iterations: of one that is launched ahead they may lie off the
/// grid, where it would not have run.
[[nodiscard]] std::vector<kernel::PositionCheck> moving_positions(const HostPlan& plan, const LoopStep& loop);

}  // namespace kasc
