#pragma once
// A part's metadata against its C++ parameters.

#include "library/declarations.hpp"
#include "library/values.hpp"

namespace kasc::library {

/// Trailing parameters `int tx`, `int bx`, … in order.
[[nodiscard]] std::vector<Coordinate> coordinates_of(const CodeFunction& function);

/// `arrays` pointers (library types count), then coordinates, nothing else (K0317).
void check_parameters(const CodeFunction& function, std::size_t arrays, Faults& faults);

/// `Other parameters` names the function's coordinates in their order (K0308 an unknown one, K0317).
void check_coordinates(const CodeFunction& function, const Entry& others, Faults& faults);

/// K0317 where a transfer's global array has neither the library type's name nor is a pointer to float.
[[nodiscard]] std::optional<Diagnostic> global_parameter_fault(const CodeParameter& parameter, const Word& type);

/// Equal in upper or lower case.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

}  // namespace kasc::library
