#pragma once
// Along which axes the argument of a reduction or of a running sum runs, and in which order.

#include <string>
#include <vector>

#include "frontend/checking.hpp"

namespace kasc::frontend {

/// "'x' and 'y'".
[[nodiscard]] std::string axis_list(const Program& program, const std::vector<AxisId>& axes);

[[nodiscard]] bool contains(const std::vector<AxisId>& axes, AxisId axis);

/// The axes along which some operand moves, in the order of the one with the most of them; then the others. `unread`:
/// of fields that are one number.
[[nodiscard]] std::vector<AxisId> in_order_of_memory(const Checking& checking, const std::vector<Operand>& operands,
                                                     const std::vector<std::vector<AxisId>>& unread,
                                                     const std::vector<AxisId>& all);

/// They are a window: their lengths are declared, few cells together, and positions go along them.
[[nodiscard]] bool is_window(const Checking& checking, const std::vector<Operand>& operands,
                             const std::vector<AxisId>& folded);

/// All axes but one have declared lengths, few cells together: of three by three weights and any number of channels.
[[nodiscard]] bool is_along_one_and_few(const Checking& checking, const std::vector<AxisId>& folded);

/// No operand has all axes of the cells, not even by what its positions are made of: fewer words are read than cells
/// are folded.
[[nodiscard]] bool reads_fewer_words(const Checking& checking, const std::vector<Operand>& operands,
                                     const std::vector<AxisId>& axes);

/// Few results of many cells: the text says how many are left, not of how many cells. In chains of one lane each these
/// would be long, and few go on side by side.
[[nodiscard]] bool leaves_few(const Checking& checking, const std::vector<AxisId>& folded,
                              const std::vector<AxisId>& kept);

}  // namespace kasc::frontend
