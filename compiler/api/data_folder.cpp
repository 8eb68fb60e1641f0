#include "api/data_folder.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdlib>

namespace kasc {

namespace fs = std::filesystem;

namespace {

/// The file that this code was loaded from: libkasc, or the command itself, which is not looked for by the name that it
/// was called by: of a command found by PATH that is a bare name, and another file of that name may be near.
fs::path own_file() {
    Dl_info info{};
    link_map* map = nullptr;
    std::error_code error;
    if (dladdr1(reinterpret_cast<const void*>(&find_data_folder), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) != 0 &&
        map != nullptr && map->l_name != nullptr && *map->l_name != '\0')
        return fs::canonical(map->l_name, error);
    fs::path running = fs::read_symlink("/proc/self/exe", error);
    if (!error) return running;
    // Without /proc, what the kernel was told to execute: the file that was found, where PATH was searched.
    const auto* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    return executed == nullptr ? fs::path() : fs::canonical(executed, error);
}

}  // namespace

fs::path find_data_folder() {
    if (const char* named = std::getenv("KASC_DATA"); named != nullptr && *named != '\0') return named;
    const fs::path file = own_file();
    for (const char* up : {"..", "../.."}) {
        std::error_code error;
        fs::path share = (file.parent_path() / up / "share" / "kasc").lexically_normal();
        if (!file.empty() && fs::is_directory(share / "elementlib", error)) return share;
    }
    return KASC_SOURCE_DATA;
}

}  // namespace kasc
