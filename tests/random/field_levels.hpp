#pragma once
// Time levels in loops of random programs.

#include <optional>
#include <set>
#include <string>

#include "random/field_program.hpp"

namespace kasc::random {

/// seen = value of former; former = own; own is assigned anew: one field takes the place of a former one, which
/// something has read.
struct TimeLevels {
    RandomField seen, former, own;
    std::string value;
};
/// The first three fields of `valued` that allow it.
[[nodiscard]] std::optional<TimeLevels> time_levels(const FieldProgram& program, const std::set<std::string>& valued);

}  // namespace kasc::random
