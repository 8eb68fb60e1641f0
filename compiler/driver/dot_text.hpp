#pragma once
// A plan as a drawing for Graphviz.

#include <string>

#include "driver/compilation.hpp"

namespace kasc {

/// Calls as nodes, values as edges with their names, kernels and loops as clusters, in the DOT language: of the first
/// plan. Nodes and edges in the order of the program.
[[nodiscard]] std::string dot_text(const Compilation& compilation, const SourceRef& source);

}  // namespace kasc
