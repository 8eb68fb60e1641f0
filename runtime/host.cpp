#include "runtime/host.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace kasc::runtime {

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1, CPU_COUNT(&set));
}

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

std::string own_executable() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "" : path.string();
}

}  // namespace kasc::runtime
