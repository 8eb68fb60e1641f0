#pragma once
// Folders and files with code that will run as the user: opened only where nobody else may have written them, and
// without following a link. What is open stays what was looked at, whatever happens to its name.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

/// Whose work is trusted: the user's alone; or, of what lies beside kasc, also that of root and of whoever kasc's own
/// code belongs to, who has the user's trust as it is.
enum class Trust { user, installer };

/// Why what is open may be the work of somebody who is not trusted; empty: it is not.
[[nodiscard]] std::string distrust(const struct stat& info, Trust trust);

/// Links are not followed; nothing is asked of its owner.
[[nodiscard]] Descriptor open_folder(const std::filesystem::path& folder);
/// None: there is no folder that is trusted.
[[nodiscard]] Descriptor open_trusted_folder(const std::filesystem::path& folder, Trust trust);
/// A plain file in the folder, with what the system says of it. None: there is none that is trusted.
[[nodiscard]] Descriptor open_trusted_file(const Descriptor& folder, const std::string& name, Trust trust,
                                           struct stat& info);
/// Its first bytes. None: it has not so many.
[[nodiscard]] std::optional<std::string> read_bytes_of(const Descriptor& file, std::uint64_t bytes);

}  // namespace kasc::runtime
