#pragma once
// Numbers that are known when a program is compiled: of literals and options.

#include <functional>
#include <optional>
#include <string>

#include "frontend/ast.hpp"

namespace kasc::frontend {

struct Constant {
    double value = 0;
    bool whole = false;  ///< an integer, of C's arithmetic; conditions are 0 or 1
};

/// None: some part is no number, a name that `option` does not know, or an integer divided by zero.
[[nodiscard]] std::optional<Constant> constant_of(
    const ast::Expression& expression, const std::function<std::optional<Constant>(const std::string&)>& option);

}  // namespace kasc::frontend
