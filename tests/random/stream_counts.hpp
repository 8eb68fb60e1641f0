#pragma once
// What the model counts of a kernel over streams beside what the kernel has and did in checking mode.

#include <string>

#include "library/library.hpp"
#include "random/plans.hpp"
#include "random/program_run.hpp"

namespace kasc::random {

/// Barriers that stand in a kernel.
[[nodiscard]] std::size_t barriers(const kernel::Body& body);

/// Empty, or which count of the model does not fit what a run of the plan did:
///   bytes     of global memory, each word once: the same. Every word of a stream is read or written by one element or
///             another, whatever its neighbours in the last block do twice.
///   barriers  that stand in the kernel: the same; of a loop those of one iteration.
[[nodiscard]] std::string stream_count_fault(const Program& program, const Library& library, const TestedPlan& plan,
                                             const RunCase& run, const PlanRun& result);

}  // namespace kasc::random
