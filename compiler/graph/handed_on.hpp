#pragma once
// Fields that a loop hands from one iteration to the next as they are, the former time level of a wave:
//
//   for (n = 0; n < steps; n++) {
//       next = 2*p - before + dt2*lap(p);
//       before = p;                          handed on: in the next iteration `before` is what entered this one as p
//       p = next;
//   }
//
// No kernel copies them: the arrays change places.

#include <map>

#include "graph/liveness.hpp"

namespace kasc {

/// Fields that some statement assigns at some cells: slices, cells of lists or of a colour.
[[nodiscard]] VariableSet assigned_in_part(const Program& program);

/// By statement of the loop's body that hands a field on: which field. For membership only, never iterated. What is
/// handed on enters the iteration and is assigned anew behind the statement; the target is read before it alone, and
/// assigned by it alone; both are whole fields of one shape that keep no layers and are nowhere assigned cell by cell,
/// so that any of their arrays serves for each of them. No field is handed on twice.
/// `in_part`: assigned_in_part of the program.
[[nodiscard]] std::map<const Statement*, VariableId> handed_on(const Program& program, const LoopStatement& loop,
                                                               const VariableSet& in_part);

}  // namespace kasc
