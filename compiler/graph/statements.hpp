#pragma once
// What the statements of one list, the program's or a loop's, say about the values of variables.

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::statements {

using Statements = std::vector<Statement>;

/// All variables that the statement assigns: of a loop, at any depth.
[[nodiscard]] std::set<VariableId> targets(const Statement& statement);
[[nodiscard]] bool assigns(const Statement& statement, VariableId variable);
/// The last statement before `at` that assigns the variable; none: its value comes from before the list.
[[nodiscard]] std::optional<std::size_t> definition(const Statements& list, VariableId variable, std::size_t at);
/// None of the statements first … end - 1 assigns the variable.
[[nodiscard]] bool unchanged(const Statements& list, VariableId variable, std::size_t first, std::size_t end);
[[nodiscard]] bool reads(const Statement& statement, VariableId variable);

/// Calls `visit` for every statement of the program but loops, at any depth.
void each_statement(const Statements& list, const std::function<void(const Statement&)>& visit);

}  // namespace kasc::statements
