#pragma once
// Streams are fields over the axis `elements`: programs that do more with them than call functions are of fields alone.

#include "frontend/ast.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// What `matrix3x3 A;` without brackets runs along.
inline constexpr const char* element_axis = "elements";

/// Gives streams that axis where the program has a field, or a statement that is no call of a function of the library
/// with streams alone, or says more of them than calls know: then no stream is left. Other programs stay as they are.
[[nodiscard]] Ast with_element_axis(Ast ast, const Library& library);

}  // namespace kasc::frontend
