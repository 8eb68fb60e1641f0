#pragma once
// Along which axes an assignment to positions runs, by its text: words of cells that read each other are computed into
// fields over them before any is assigned (cell_words.hpp).

#include <functional>
#include <string>
#include <vector>

#include "frontend/ast.hpp"

namespace kasc::frontend {

/// The axes of the target that stand at no position, and those that the positions run along: of fields that they read,
/// and those whose coordinates they have. T[x = at, z = 2*u] over x, y, z, with at over p: y, p, u.
/// `loops`: variables of the loops around; `axes_of`: of a field by its name, null: there is none.
[[nodiscard]] std::vector<ast::Name> axes_run_along(
    const Ast& ast, const std::vector<ast::Name>& target, const std::vector<ast::Index>& positions,
    const std::vector<std::string>& loops,
    const std::function<const std::vector<ast::Name>*(const std::string&)>& axes_of);

}  // namespace kasc::frontend
