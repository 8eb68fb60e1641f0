#pragma once
// Emitted files reach the disk whole or not at all.

#include <filesystem>
#include <vector>

#include "emit/emit.hpp"

namespace kasc {

/// Writes into a folder beside `folder` first. Where `folder` does not exist yet it appears by one rename; else each
/// file replaces its predecessor by a rename, and other files of the folder stay. K0720 where that cannot be done.
[[nodiscard]] Diagnostics write_folder(const std::filesystem::path& folder,
                                       const std::vector<emit::EmittedFile>& files);

}  // namespace kasc
