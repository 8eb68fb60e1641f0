#pragma once
// What no statement assigns of a series is zero, and lies so in memory before the run. A loop that assigns slices of a
// field and the whole of it as well hands it on from iteration to iteration: then it begins with zeros as with any
// value. So does a field that loops alone assign and that is read behind them, as they may run zero times.

#include <set>

#include "frontend/program.hpp"

namespace kasc::frontend {

/// `rec = 0;` before each outermost loop that assigns slices of rec and all of it, where nothing has assigned it
/// before; likewise before the first one that assigns a field of `zero_before_loops`.
[[nodiscard]] Program with_zeroed_series(Program program, const std::set<VariableId>& zero_before_loops);

}  // namespace kasc::frontend
