#pragma once
// What --set says.

#include <map>
#include <string>

#include "frontend/program.hpp"
#include "model/prediction.hpp"

namespace kasc {

/// Sets sizes and fallbacks by name. K0901 for a name that is neither.
[[nodiscard]] Diagnostics apply_settings(Program& program, GivenSizes& given,
                                         const std::map<std::string, double>& settings);

}  // namespace kasc
