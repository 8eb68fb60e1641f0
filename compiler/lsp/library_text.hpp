#pragma once
// Functions and types of the library, for hovers and completions.

#include <string>

#include "library/library.hpp"

namespace kasc::lsp {

/// "mmul33(matrix3x3, matrix3x3) -> matrix3x3".
[[nodiscard]] std::string signature(const Library& library, const Function& function);
/// Signature, comment, operations, and the words that threads of its implementations touch.
[[nodiscard]] std::string function_text(const Library& library, FunctionId function);
[[nodiscard]] std::string type_text(const StreamType& type);

}  // namespace kasc::lsp
