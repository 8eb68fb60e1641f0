#pragma once
// Programs with other statements. What statements say of the values of variables: graph/statements.hpp.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frontend/with_operands.hpp"
#include "graph/field_target.hpp"
#include "graph/statements.hpp"

namespace kasc::rewriting {

using namespace statements;
using frontend::OperandReplacement;
using frontend::with_equal_operands_once;
using frontend::with_operands;

/// The program with every list of statements replaced, those of loops first.
[[nodiscard]] Statements with_lists(const Statements& list, const std::function<Statements(Statements)>& change);

/// Numbers of operands that positions of the statement or its condition use.
[[nodiscard]] std::set<std::size_t> operands_of_positions(const FieldStatement& statement);

/// Something that is not in this list of the program's looks at the variable: another statement, a loop that each cell
/// ends by itself, the caller.
[[nodiscard]] bool is_seen_outside(const Program& program, const Statements& list, VariableId variable);

/// The wish, with as many '_' behind as make it a name of nothing in the program.
[[nodiscard]] std::string free_name(const Program& program, std::string wish);

/// The statement, which reads another field where one of these is read at the cell itself.
[[nodiscard]] FieldStatement reading(FieldStatement statement, const std::map<VariableId, VariableId>& others);

/// "u = a + b", as the language writes it.
[[nodiscard]] std::string statement_text(const Program& program, const Statement& statement);
/// A place for a statement that the compiler wrote: its own text.
[[nodiscard]] Span written_span(const Program& program, const Statement& statement);
/// A statement that a rule wrote, with equal operands as one, at the place of its own text.
[[nodiscard]] FieldStatement written(const Program& program, const FieldStatement& statement);
/// The same of one that assigns all cells of the target. `span`: of what it is written for.
[[nodiscard]] FieldStatement written(const Program& program, VariableId target, const ExpressionRef& value,
                                     std::vector<Operand> operands, Precision precision, const Span& span);

}  // namespace kasc::rewriting
