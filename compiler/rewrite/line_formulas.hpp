#pragma once
// What makes a field of lines and numbers alone: it may be made anew wherever it is read.

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

}  // namespace kasc::rewriting
