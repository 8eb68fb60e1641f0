#pragma once
// Types of numbers under the names that other languages give them.

#include <string>
#include <string_view>

namespace kasc::frontend {

/// A type of numbers of the language.
[[nodiscard]] bool is_type_here(std::string_view word);
/// "double" for "float64"; empty: no language is known to have such a type.
[[nodiscard]] std::string_view type_here(std::string_view foreign_type);
/// The types that parameters have: "float" for "half", "int" for "uint8" and "int64".
[[nodiscard]] std::string_view parameter_type_here(std::string_view type);
/// What differs in the type here: ": 1 where it holds, else 0" for "bool"; mostly nothing.
[[nodiscard]] std::string_view type_differs(std::string_view foreign_type);
/// The same of a parameter's.
[[nodiscard]] std::string_view parameter_differs(std::string_view type);

}  // namespace kasc::frontend
