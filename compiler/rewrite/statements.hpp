#pragma once
// What the statements of one list, the program's or a loop's, say about the values of variables.

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::rewriting {

using Statements = std::vector<Statement>;

/// All variables that the statement assigns: of a loop, at any depth.
[[nodiscard]] std::set<VariableId> targets(const Statement& statement);
[[nodiscard]] bool assigns(const Statement& statement, VariableId variable);
/// The last statement before `at` that assigns the variable; none: its value comes from before the list.
[[nodiscard]] std::optional<std::size_t> definition(const Statements& list, VariableId variable, std::size_t at);
/// None of the statements first … end - 1 assigns the variable.
[[nodiscard]] bool unchanged(const Statements& list, VariableId variable, std::size_t first, std::size_t end);
[[nodiscard]] bool reads(const Statement& statement, VariableId variable);

/// Every cell of the target is assigned, by its own value.
[[nodiscard]] bool is_whole(const Program& program, const FieldStatement& statement);
/// The cell itself, along all axes.
[[nodiscard]] bool is_plain(const Operand& operand);
/// The operand of a whole statement is the cell itself, of a field over the target's axes.
[[nodiscard]] bool is_own_cell(const Program& program, const FieldStatement& statement, const Operand& operand);

/// Calls `visit` for every statement of the program but loops, at any depth.
void each_statement(const Statements& list, const std::function<void(const Statement&)>& visit);
/// The program with every list of statements replaced, those of loops first.
[[nodiscard]] Statements with_lists(const Statements& list, const std::function<Statements(Statements)>& change);

/// The statement with some operands replaced by uniform expressions or by other operands; null: it stays. Operands that
/// become equal become one.
struct Replacement {
    ExpressionRef value;
    std::optional<VariableId> variable;
};
[[nodiscard]] FieldStatement with_operands(const FieldStatement& statement,
                                           const std::function<std::optional<Replacement>(std::size_t)>& replace);
/// Numbers of operands that positions of the statement or its condition use.
[[nodiscard]] std::set<std::size_t> operands_of_positions(const FieldStatement& statement);

/// "u = a + b", as the language writes it.
[[nodiscard]] std::string statement_text(const Program& program, const Statement& statement);
/// A place for a statement that the compiler wrote: its own text.
[[nodiscard]] Span written_span(const Program& program, const Statement& statement);

}  // namespace kasc::rewriting
