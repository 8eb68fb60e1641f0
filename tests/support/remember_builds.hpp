#pragma once
// Runs of one plan in one test are built once: building takes longer than such a run does.

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/temporary.hpp"

namespace kasc::test {

/// From here on this process' calls of kasc build with a compiler that keeps what it has built in `folder`, by the text
/// of the sources. `more`: words for that compiler.
inline void remember_builds(const std::filesystem::path& folder, const std::string& more = "") {
    const std::string script = (folder / "remembering-c++").string();
    write_file(script,
               "#!/bin/sh\n"
               "for word; do [ \"$before\" = -o ] && built=$word; before=$word; done\n"
               "key=$(for word; do case $word in *.cpp) cat \"$word\";; esac; done | cksum | tr ' ' -)\n"
               "kept='" +
                   folder.string() +
                   "'/built-$key.so\n"
                   "[ -f \"$kept\" ] || { c++ \"$@\" " +
                   more +
                   " && cp \"$built\" \"$kept.new\" && mv \"$kept.new\" \"$kept\"; } || exit\n"
                   "cp \"$kept\" \"$built\"\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    setenv("CXX", script.c_str(), 1);
}
inline void forget_builds() { unsetenv("CXX"); }

}  // namespace kasc::test
