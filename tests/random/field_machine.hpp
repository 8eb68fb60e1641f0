#pragma once
// A field program run by a host plan, whose kernels are interpreted.

#include <string>
#include <vector>

#include "random/field_counts.hpp"
#include "random/field_plans.hpp"
#include "random/field_run.hpp"

namespace kasc::random {

struct FieldPlanRun {
    std::vector<test::Cells> outputs;
    std::string fault;  ///< what the interpreter found, or the model counts otherwise; empty: nothing
    CountTally counts{};
};
/// `backwards`: the order of blocks and of threads.
[[nodiscard]] FieldPlanRun run_field_plan(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run,
                                          bool backwards);

}  // namespace kasc::random
