#pragma once
// Definitions of files, folder by folder → one library.

#include <vector>

#include "library/definitions.hpp"

namespace kasc::library {

/// The files of one folder, in order.
using Layer = std::vector<FileDefinitions>;

/// Resolves types and checks what no file can check alone: duplicates (K0315), unknown types (K0310), signatures
/// (K0316), functions with neither implementation nor reference (K0311). A later layer replaces (warning K0321). None
/// where anything is an error, in the files' own diagnostics as well.
[[nodiscard]] Outcome<Library> assemble(std::vector<Layer> layers);

}  // namespace kasc::library
