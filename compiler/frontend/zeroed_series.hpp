#pragma once
// What no statement assigns of a series is zero, and lies so in memory before the run. A loop that assigns slices of a
// field and the whole of it as well hands it on from iteration to iteration: then it begins with zeros as with any
// value.

#include "frontend/program.hpp"

namespace kasc::frontend {

/// `rec = 0;` before each outermost loop that assigns slices of rec and all of it, where nothing has assigned it
/// before.
[[nodiscard]] Program with_zeroed_series(Program program);

}  // namespace kasc::frontend
