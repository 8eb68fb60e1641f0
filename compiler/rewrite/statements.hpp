#pragma once
// Programs with other statements. What statements say of the values of variables: graph/statements.hpp.

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "frontend/with_operands.hpp"
#include "graph/field_target.hpp"
#include "graph/statements.hpp"

namespace kasc::rewriting {

using namespace statements;
using frontend::OperandReplacement;
using frontend::with_operands;

/// The program with every list of statements replaced, those of loops first.
[[nodiscard]] Statements with_lists(const Statements& list, const std::function<Statements(Statements)>& change);

/// Numbers of operands that positions of the statement or its condition use.
[[nodiscard]] std::set<std::size_t> operands_of_positions(const FieldStatement& statement);

/// "u = a + b", as the language writes it.
[[nodiscard]] std::string statement_text(const Program& program, const Statement& statement);
/// A place for a statement that the compiler wrote: its own text.
[[nodiscard]] Span written_span(const Program& program, const Statement& statement);

}  // namespace kasc::rewriting
