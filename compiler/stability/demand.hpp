#pragma once
// Finds the values of a graph that are needed, and at which positions, seen from one cell.

#include <map>
#include <optional>
#include <set>

#include "stability/tape.hpp"

namespace kasc::stability {

using Demand = std::map<ValueId, std::set<Position>>;

/// Where a statement that is computed at `at` reads along an axis. Requires: no position that the cell computes.
[[nodiscard]] Coordinate read_coordinate(const AxisIndex& index, const Coordinate& at, const Uniforms& uniforms);
/// The same along all axes of an operand.
[[nodiscard]] Position read_position(const Program& program, const Operand& operand, const Position& at,
                                     const Uniforms& uniforms);
/// The operand is read at positions that each cell computes from data.
[[nodiscard]] bool is_gathered(const Operand& operand);
/// The update assigns a slice and leaves the rest: away from the slice its result is the former value.
[[nodiscard]] bool passes_former(const FieldUpdate& update);
/// Adds what the nodes before `end` need for what is demanded already; false where that is too much.
[[nodiscard]] bool add_needed(const Program& program, const Graph& graph, NodeId end, const Uniforms& uniforms,
                              Demand& demand);

}  // namespace kasc::stability
