#pragma once
// A device whose kernels are interpreted, so that a host plan is walked as kasc run walks it, by any number of ranks.

#include "random/field_machine.hpp"

namespace kasc::random {

/// The plan walked by so many ranks, which do what they are asked for late and in an order that `seed` draws; every
/// launch that can be is shared. Requires: the program has no transforms and orders no lists.
[[nodiscard]] FieldPlanRun run_by_ranks(const Program& program, const Library& library, const TestedFieldPlan& plan,
                                        const FieldRunCase& run, int ranks, unsigned seed);

/// The same by so many processes, each with memory of its own, here threads, some of them late.
[[nodiscard]] FieldPlanRun run_by_processes(const Program& program, const Library& library, const TestedFieldPlan& plan,
                                            const FieldRunCase& run, int ranks, unsigned seed);

}  // namespace kasc::random
