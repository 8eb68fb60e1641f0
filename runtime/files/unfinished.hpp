#pragma once
// Files and folders that are not finished: their names, how a process holds them, and what dead processes left of them.
//
// ".kasc.<machine>.Xa81kq": the process that made it holds a lock on it for as long as it lives. Whoever finds one, of
// his own user and machine, and gets the lock, knows that its process is dead. A process that finds its own new one
// taken away before it got the lock makes another. Names of other machines are left alone: where a disk is shared,
// locks may not be.

#include <filesystem>
#include <string>

#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

enum class Hold {
    held,     ///< or on a file system without locks, where nobody can be found dead either
    taken,    ///< another process holds it
    moved_on  ///< what the name leads to is another one by now
};

/// Without waiting. A folder, or a file that is open for writing; for as long as any copy of the descriptor is open.
[[nodiscard]] Hold hold(const Descriptor& open, const std::string& path);

/// The beginning of the names of what is not finished.
[[nodiscard]] std::string unfinished_prefix();
/// A new, empty file or folder of this user's alone in a folder, held, after clearing what was left there; errno where
/// there is none.
struct Unfinished {
    std::string path;
    Descriptor open;
};
[[nodiscard]] Unfinished make_unfinished_file(const std::filesystem::path& parent);
[[nodiscard]] Unfinished make_unfinished_folder(const std::filesystem::path& parent);

/// All that an open folder holds, by descriptors, so that no link is ever followed.
void remove_contents(const Descriptor& folder);

}  // namespace kasc::runtime
