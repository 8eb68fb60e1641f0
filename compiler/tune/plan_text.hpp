#pragma once

#include <string>

#include "driver/compilation.hpp"

namespace kasc::tune {

/// Calls in each kernel: "3+1".
[[nodiscard]] std::string parts_text(const Compilation& compilation, const PlannedGraph& plan);

}  // namespace kasc::tune
