#pragma once
// What makes a field of lines and numbers alone: it may be made anew wherever it is read.

#include <map>
#include <set>
#include <string>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

/// The statements of a list that make a field, by their places; or why it cannot be made anew behind the list.
struct LineFormula {
    std::set<std::size_t> statements;
    std::string fault;
};

/// What makes the value that the field has at the end of the list. `changing`: what is assigned behind it, before the
/// field is made anew.
[[nodiscard]] LineFormula line_formula(const Program& program, const Statements& list, VariableId field,
                                       const std::set<VariableId>& changing);

/// Adds these statements of a list, in their order, with fields of their own for what they assign. `again`: those, by
/// what they are made for; of what has one no other is declared.
void make_anew(Program& program, const Statements& list, const std::set<std::size_t>& places,
               std::map<VariableId, VariableId>& again, Statements& made);

}  // namespace kasc::rewriting
