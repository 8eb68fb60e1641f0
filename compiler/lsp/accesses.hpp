#pragma once

#include <string>

#include "frontend/program.hpp"

namespace kasc::lsp {

/// What a statement of the text reads of a field: "Reads the cell itself, neighbours (-1, 0), (1, 0)." Empty: nothing.
[[nodiscard]] std::string accesses_text(const Program& program, const Span& statement, const std::string& field);

}  // namespace kasc::lsp
