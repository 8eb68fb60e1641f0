#include "command/fonts.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "api/data_folder.hpp"

namespace kasc::command {

void use_own_fonts_without_others() {
    constexpr const char* of_the_machine = "/etc/fonts/fonts.conf";
    for (const char* name : {"FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"}) {
        if (std::getenv(name) != nullptr) return;
    }
    if (access(of_the_machine, R_OK) == 0) return;
    const std::filesystem::path own = find_data_folder() / "fonts" / "fonts.conf";
    if (access(own.c_str(), R_OK) == 0) setenv("FONTCONFIG_FILE", own.c_str(), 0);
}

}  // namespace kasc::command
