#pragma once
// A function that the library says by its reference alone has one implementation all the same: a thread an element.

#include "library/definitions.hpp"

namespace kasc::library {

/// Implementation 1, as an author would have written it around the reference: whole elements, in registers where they
/// fit. Requires a function with a reference. Its diagnostics are of the reference's own text.
[[nodiscard]] FileDefinitions made_implementation(const Function& function, const Table<TypeId, StreamType>& types);

}  // namespace kasc::library
