#pragma once

#include <string>

#include "driver/compilation.hpp"

namespace kasc::tune {

/// A plan as one line: every graph with its kernels in launch order, each with its calls (numbers of the graph's nodes)
/// and its choice. Equal texts for one program, library and sizes mean equal plans.
///     program: [0 1 2] implementations 1-3-2, 64 elements, staged transfer; [3] …; loop n: [0] …
[[nodiscard]] std::string plan_text(const Compilation& compilation, const PlannedGraph& plan);

/// Calls in each kernel: "3+1".
[[nodiscard]] std::string parts_text(const Compilation& compilation, const PlannedGraph& plan);

}  // namespace kasc::tune
