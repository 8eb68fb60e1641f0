#pragma once
// Functions that people know from C, Python and NumPy, and how the language says them.

#include <string>
#include <string_view>
#include <vector>

#include "foundation/source.hpp"

namespace kasc::frontend {

/// A form with texts in its places: the first in that of {a}, the second in that of {b}; "a" where none is given.
[[nodiscard]] std::string filled(std::string_view form, const std::vector<std::string>& arguments);
/// Arguments for forms that name axes as well: {x} and {y} the first two, {w} all of them.
[[nodiscard]] std::vector<std::string> with_axes(std::vector<std::string> arguments,
                                                 const std::vector<std::string>& axes);
/// "atan(T)" for "arctan" of T; empty: nothing is known of the name.
[[nodiscard]] std::string form_here(std::string_view foreign_function, const std::vector<std::string>& arguments);
/// A help "write 'a + b'", with brackets where an operator stands beside the call whose place it is to take.
[[nodiscard]] std::string in_place_of(const Span& call, std::string help);
/// A help for what no expression says, "with 'int cells[b]; axis b = 10;': …" for "bincount"; empty likewise.
[[nodiscard]] std::string sentence_here(std::string_view foreign_function, const std::vector<std::string>& arguments);
/// A help for a name of a constant or a module, "write '3.14159265358979'" for "pi"; empty likewise.
[[nodiscard]] std::string name_here(std::string_view foreign_name);

}  // namespace kasc::frontend
