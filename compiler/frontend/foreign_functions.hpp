#pragma once
// Functions that people know from C, Python and NumPy, and how the language says them.

#include <string>
#include <string_view>

namespace kasc::frontend {

/// "atan(a)" for "arctan"; empty: nothing is known of the name.
[[nodiscard]] std::string form_here(std::string_view foreign_function);
/// A help for a name of a constant or a module, "write '3.14159265358979'" for "pi"; empty likewise.
[[nodiscard]] std::string name_here(std::string_view foreign_name);

}  // namespace kasc::frontend
