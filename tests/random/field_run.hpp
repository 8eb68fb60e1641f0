#pragma once
// A field program run in two ways: as the language defines it, and by a host plan whose kernels are interpreted.

#include <string>
#include <vector>

#include "random/field_plans.hpp"
#include "random/field_terms.hpp"
#include "support/field_values.hpp"

namespace kasc::random {

struct FieldRunCase {
    testing::Problem problem;
    std::vector<testing::Cells> inputs;  ///< by position
};

/// Small grids: each program meets extents below and above its reach, multiples of four among them. Axes and inputs
/// have the names that random programs give them, or any other.
[[nodiscard]] FieldRunCase draw_field_case(const Program& program, Draw& draw);

/// The outputs by position.
[[nodiscard]] std::vector<testing::Cells> run_field_reference(const Program& program, const FieldRunCase& run);

struct FieldPlanRun {
    std::vector<testing::Cells> outputs;
    std::string fault;  ///< what the interpreter found; empty: nothing
};
/// `backwards`: the order of blocks and of threads.
[[nodiscard]] FieldPlanRun run_field_plan(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run,
                                          bool backwards);

}  // namespace kasc::random
