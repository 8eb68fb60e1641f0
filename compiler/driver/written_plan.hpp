#pragma once
// What a request's written plan (--plan) says.

#include <string>
#include <vector>

#include "driver/variants.hpp"

namespace kasc {

/// The wish, of the checked program; first, where it counts kernels, the plan that would be made without it.
[[nodiscard]] Outcome<PlanWish> read_plan(const CheckedProgram& checked, const CompileRequest& request);

/// Some kernel of it is of this walk.
[[nodiscard]] bool wishes(const CompileRequest& request, Walk walk);
/// The names of its calls, in order.
[[nodiscard]] std::vector<std::string> planned_names(const CompileRequest& request);

}  // namespace kasc
