#pragma once
// What a loop of a random program goes on for, or a branch of it is taken for.

#include <set>
#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_program.hpp"

namespace kasc::random {

/// A condition on a field of `valued`, or on the outermost of the loops around. `loops`: with the one that is to have
/// the condition last. Empty for three loops in four, and where there is no such field, or the program has transforms,
/// behind which nothing jumps.
[[nodiscard]] std::string random_condition(Draw& draw, const FieldProgram& program, const std::set<std::string>& valued,
                                           const std::vector<std::string>& loops);

/// "for (n = 0; n < 3 && maximum(A) < 0.7; n++)", or a branch of that condition.
[[nodiscard]] std::string loop_head(Draw& draw, const std::string& variable, const std::string& end,
                                    const std::string& condition);

}  // namespace kasc::random
