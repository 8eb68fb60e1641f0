#pragma once
// Host plans walked as kasc run walks them, by any number of ranks, on devices whose kernels are interpreted.

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
