#pragma once
// CUDA graphs: what a loop on the host launches again in every iteration, on the same arrays with the same numbers, is
// captured once and replayed as one launch. A step of many short kernels is bound by its launches otherwise.
//
//   loop n
//     transform, launch k1, transform, launch k2     a graph
//     launch k3 (uses n)                             launched, since its number changes
//     swap a, b                                      the graph is one of the arrays it was captured on: here two
//
// The emitted code looks a graph up by the arrays that its launches work on (support/kasc_graphs.cuh), so that swaps,
// pieces, windows and checkpoints need no care.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/device/device.hpp"
#include "plan/host_plan.hpp"

namespace kasc {

/// priced: where launches are a good part of a loop's predicted time.
enum class Capture { never, priced, always };
[[nodiscard]] std::optional<Capture> find_capture(std::string_view name);

struct CaptureVerdict {
    std::string loop;
    Verdict verdict;
};
struct CapturedPlan {
    HostPlan plan;
    std::vector<CaptureVerdict> verdicts;  ///< one a loop, outer loops first
};

/// Sets LoopStep::graphs. Requires: the plan was built of `planned`.
[[nodiscard]] CapturedPlan capture_graphs(HostPlan plan, const Program& program, const PlannedGraph& planned,
                                          Capture wanted);

[[nodiscard]] bool has_graphs(const HostPlan& plan);

}  // namespace kasc
