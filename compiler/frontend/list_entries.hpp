#pragma once
// The entries of a list at whose cells a statement assigns its target.

#include <optional>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// The axes along which entries are counted, the first fastest: those of the list, then those of the target that move
/// with it and along which its positions differ (`T[x = first] += e` of T[x, y] and first[y]).
[[nodiscard]] std::vector<AxisId> entry_axes(const Program& program, const FieldStatement& statement);
/// The axis as long as there are entries: their own, or one that the compiler made; none: it has not made it.
[[nodiscard]] std::optional<AxisId> axis_of_entries(const Program& program, const std::vector<AxisId>& entry_axes);
/// The same, made where it is not there.
AxisId make_axis_of_entries(Program& program, const std::vector<AxisId>& entry_axes, const Span& span);
/// An axis along copies of the cells to which entries of integers add: one for so many entries, and not too many of
/// them. None: the compiler has not made it.
[[nodiscard]] std::optional<AxisId> axis_of_copies(const Program& program, const std::vector<AxisId>& entry_axes);
AxisId make_axis_of_copies(Program& program, const std::vector<AxisId>& entry_axes, const Span& span);
/// An axis along the parts of least_chunk places of a list.
AxisId make_axis_of_chunks(Program& program, AxisId list, const Span& span);

}  // namespace kasc
