#include "runtime/processes/host.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "foundation/parallel.hpp"

namespace kasc::runtime {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string name = "CPU";
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) name = line.substr(colon + 2);
        break;
    }
    const int cores = usable_cores();
    return fmt::format("{}, {} core{}", name, cores, cores == 1 ? "" : "s");
}

std::string machine_text(MachineText parts) {
    utsname names{};
    uname(&names);
    std::string text = fmt::format("{}, glibc {}\n", names.machine, gnu_get_libc_version());
    if (parts == MachineText::system) return text;
    // Lines on the first processor: x86's words, then Arm's.
    constexpr std::array wanted{"vendor_id", "cpu family",      "model",    "flags",
                                "Features",  "CPU implementer", "CPU part", "CPU variant"};
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line) && !line.empty();) {
        const std::string name = line.substr(0, line.find_last_not_of(" \t", line.find(':') - 1) + 1);
        if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) text += line + "\n";
    }
    return text;
}

std::uint64_t peak_memory_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) << 10U;
    }
    return 0;
}

std::string own_executable() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "" : path.string();
}

}  // namespace kasc::runtime
