#pragma once
// What an expression of a statement is made of, and which of its reads happen whatever its conditions say.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "contract/contract.hpp"

namespace kasc::contract {

/// Inputs that no statement assigns.
[[nodiscard]] std::set<VariableId> unchanged_inputs(const Program& program);
/// The numbers of the operands that are read at every cell of the statement, ascending.
[[nodiscard]] std::set<std::size_t> always_read(const FieldStatement& statement);
/// Some input, and besides literals, parameters and extents nothing else.
[[nodiscard]] bool made_of_inputs(const Expression& expression, const std::vector<Operand>& operands,
                                  const std::set<VariableId>& inputs);
/// All reads of the expressions (null: none), those of their positions among them. Requires: they are of inputs.
struct InputUse {
    std::size_t input = 0;
    const Operand* operand = nullptr;
};
[[nodiscard]] std::vector<InputUse> input_uses(const Program& program, const std::vector<Operand>& operands,
                                               const std::vector<ExpressionRef>& expressions);
/// Adds the axes that the reads of the expression run along.
void add_axes(const Program& program, const Expression& expression, const std::vector<Operand>& operands,
              std::set<AxisId>& axes);

/// "px": as a program writes it; where it was at a row of a loop, without.
[[nodiscard]] std::string position_text(const Program& program, const Expression& position,
                                        const std::vector<Operand>& operands);
/// "px: positions along x, from 2 to extent(x) - 3".
[[nodiscard]] std::string positions_text(const Program& program, const Positions& positions);
/// "(x = px, y = py)".
[[nodiscard]] std::string list_text(const Program& program, const ListedCells& list);

}  // namespace kasc::contract
