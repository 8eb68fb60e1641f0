#pragma once
// Finds the reduction or the intrinsic that a call is. The names that came late are taken by functions of the program
// and of the library.

#include <optional>
#include <string>

#include "frontend/ast.hpp"
#include "frontend/reduction.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// Null: none. `text`: the function of Ast::functions in whose body the call stands; none: in a statement. A function
/// of the library knows those above it in the library, whatever the program calls so.
[[nodiscard]] const Reduction* called_reduction(const Ast& ast, const Library& library, const std::string& name,
                                                std::optional<std::size_t> text);
[[nodiscard]] std::optional<Intrinsic> called_intrinsic(const Ast& ast, const Library& library, const std::string& name,
                                                        std::optional<std::size_t> text);

/// argmin, argmax: the first position along an axis.
[[nodiscard]] bool gives_position(const Reduction& reduction);
/// What these fold of each cell, by minimum: e == maximum(e, x) ? x : extent(x).
[[nodiscard]] ast::ExpressionRef position_of(const Reduction& reduction, const ast::ExpressionRef& argument,
                                             const std::string& axis);
/// What others fold of each cell: the argument e, e*e, or e ? 1 : 0.
[[nodiscard]] ast::ExpressionRef folded_of(const Reduction& reduction, const ast::ExpressionRef& argument);

}  // namespace kasc::frontend
