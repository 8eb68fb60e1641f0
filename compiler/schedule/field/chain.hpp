#pragma once
// Where a read near the edge of the grid goes, axis by axis. A value that is recomputed for a neighbour is read at a
// coordinate that the boundary of *that* value has mapped already, so coordinates are chains of mapped steps: two steps
// through a mirror are not one step of two cells (-1 → 0, then -1 → 0 again; in one step -2 → 1).

#include <boost/container/small_vector.hpp>
#include <compare>

#include "frontend/program.hpp"

namespace kasc {

struct MappedStep {
    BoundaryKind kind = BoundaryKind::keep;  ///< never none: a field without boundary reads its nearest layer
    int step = 0;
    auto operator<=>(const MappedStep&) const = default;
};
using Chain = boost::container::small_vector<MappedStep, 1>;  ///< of one axis; empty: the cell's own coordinate

/// The chain one step further. Steps that compose exactly are joined: any two periodic ones, two in the same direction
/// that stop at the nearest layer, and any two between faces of a value: what is made beyond these is not looked at, so
/// that x + 1 - 1 is x. Where a quotient of such cells could end the program, of integers by 0, these are the nearest
/// cell's: not `joins_values`.
[[nodiscard]] Chain extend(Chain chain, BoundaryKind kind, int step, bool joins_values = true);

}  // namespace kasc
