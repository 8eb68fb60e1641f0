#pragma once
// Where results go: which file or folder a name leads to, whether two names are one place, and whom it may belong to.

#include <sys/types.h>

#include <string>
#include <string_view>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

/// Where the last part of the path is a link, what it leads to, there or not; else the path. K0720 where links go round
/// in circles, and where another user made the link, or what it leads to, in a folder in which everybody may make files
/// (as /tmp), which is the kernel's own rule of fs.protected_symlinks.
[[nodiscard]] Outcome<std::string> follow_links(const std::string& path);

/// Are they one file: by device and inode where both are there, else by name in one folder, links followed.
[[nodiscard]] bool same_place(const std::string& a, const std::string& b);

/// The folder that holds it: "." of a bare name.
[[nodiscard]] std::string folder_of(const std::string& path);

/// The mode that open(2) and mkdir(2) give what is new: of 0666 or 0777 what the user's umask leaves.
[[nodiscard]] mode_t usual_mode(mode_t all);

/// Renames where nothing is. 0 or errno: EEXIST where something is.
[[nodiscard]] int rename_to_nothing(const std::string& from, const std::string& to);

/// 0 or errno.
[[nodiscard]] int write_all(int file, std::string_view text);

/// K0720 or K0721.
[[nodiscard]] Diagnostic cannot_write(const char* code, const std::string& path, const std::string& why);

}  // namespace kasc::runtime
