#pragma once
// What is said of words of cells, as the program writes them.

#include <vector>

#include "foundation/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace kasc::frontend {

/// Diagnostics of fields of words → of the cells that the program has: "'u_x' has no value", "'u_y' …" → "'u' has no
/// value", once; where the text takes a word, "'u.x' has no value".
[[nodiscard]] Diagnostics of_written_words(Diagnostics diagnostics, const std::vector<Ast::Shaped>& shaped);

}  // namespace kasc::frontend
