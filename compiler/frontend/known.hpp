#pragma once
// What a program's text decides while it is read.

#include "frontend/building.hpp"
#include "frontend/constant.hpp"

namespace kasc::frontend {

/// None, with K0116, where it is not made of numbers and of options that are declared by now.
[[nodiscard]] std::optional<Constant> known(const Building& building, const ast::Expression& expression,
                                            const char* what);

/// All names in it are options.
[[nodiscard]] bool is_of_options(const Ast& ast, const ast::Expression& expression);

/// Something has the name already: K0202.
[[nodiscard]] bool is_declared(const Building& building, const ast::Name& name);

}  // namespace kasc::frontend
