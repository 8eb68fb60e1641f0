#pragma once
// Finds the statements whose results are needed, backwards from the outputs; loops by a fixed point.

#include <set>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

using VariableSet = std::set<VariableId>;

/// What the builder asks about a program.
struct Liveness {
    std::set<const Statement*> needed;     ///< for membership only, never iterated
    std::vector<VariableSet> after_loop;   ///< by LoopId: needed after the loop
    std::vector<VariableSet> assigned_in;  ///< by LoopId: assigned by needed statements of the body, at any depth
};

/// Requires: the nesting depth of loops is bounded by the front end (this recurses with it).
[[nodiscard]] Liveness find_liveness(const Program& program);

/// The body runs at least once, whatever the parameters: both bounds are literals, and it does not ask what was
/// computed.
[[nodiscard]] bool surely_runs(const LoopStatement& loop);
[[nodiscard]] bool surely_runs(const ExpressionRef& from, const ExpressionRef& to);

}  // namespace kasc
