#include "api/data_folder.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace kasc {

namespace fs = std::filesystem;

fs::path find_data_folder() {
    if (const char* named = std::getenv("KASC_DATA"); named != nullptr && *named != '\0') return named;
    std::error_code error;
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&find_data_folder), &info) != 0 && info.dli_fname != nullptr) {
        fs::path code = fs::canonical(info.dli_fname, error);
        // A command found by PATH is known by its bare name only.
        if (error) code = fs::canonical("/proc/self/exe", error);
        const fs::path here = code.parent_path();
        for (const fs::path& up : {here / "..", here / ".." / ".."}) {
            fs::path share = (up / "share" / "kasc").lexically_normal();
            if (!error && fs::is_directory(share / "elementlib", error)) return share;
        }
    }
    return KASC_SOURCE_DATA;
}

}  // namespace kasc
