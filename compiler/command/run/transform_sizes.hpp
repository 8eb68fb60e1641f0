#pragma once

#include <vector>

#include "frontend/program.hpp"

namespace kasc::command {

/// Warning K0747 for each axis along which the program transforms and whose extent has a large prime factor, with the
/// nearest extents that have none.
[[nodiscard]] Diagnostics check_transform_sizes(const Program& program, const std::vector<long long>& extents);

}  // namespace kasc::command
