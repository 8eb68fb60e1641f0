#pragma once
// Functions that people know from C, Python and NumPy, and how the language says them.

#include <string>
#include <string_view>
#include <vector>

namespace kasc::frontend {

/// A form with texts in its places: the first in that of {a}, the second in that of {b}; "a" where none is given.
[[nodiscard]] std::string filled(std::string_view form, const std::vector<std::string>& arguments);
/// "atan(T)" for "arctan" of T; empty: nothing is known of the name.
[[nodiscard]] std::string form_here(std::string_view foreign_function, const std::vector<std::string>& arguments);
/// A help for a name of a constant or a module, "write '3.14159265358979'" for "pi"; empty likewise.
[[nodiscard]] std::string name_here(std::string_view foreign_name);

}  // namespace kasc::frontend
