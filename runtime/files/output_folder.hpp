#pragma once
// Emitted files reach the disk whole or not at all, and over nobody's work.

#include <filesystem>
#include <vector>

#include "foundation/outcome.hpp"
#include "foundation/text_file.hpp"

namespace kasc::runtime {

/// The file in a folder that says what kasc wrote there: a digest and a name a line.
inline constexpr const char* manifest_name = ".kasc";

/// What becomes of files that kasc did not write, or that were changed since.
enum class Foreign {
    refuse,  ///< a folder of others' is not written into, no file is replaced
    replace  ///< files of the same names are replaced
};

/// Writes into a folder of its own first. Where `folder` does not exist yet it appears by one rename; else each file
/// replaces its predecessor by a rename, and other files of the folder stay. A folder that is not empty must have been
/// written by kasc, and each file that is replaced as well, as its manifest says. Names are below the folder, at most
/// one folder deep. K0720 where that cannot be done, K0725 where it would replace what is not kasc's.
[[nodiscard]] Diagnostics write_folder(const std::filesystem::path& folder, const std::vector<TextFile>& files,
                                       Foreign foreign = Foreign::refuse);

}  // namespace kasc::runtime
