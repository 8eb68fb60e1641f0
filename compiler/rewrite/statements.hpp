#pragma once
// Programs with other statements. What statements say of the values of variables: graph/statements.hpp.

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "graph/field_target.hpp"
#include "graph/statements.hpp"

namespace kasc::rewriting {

using namespace statements;

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
