// A process is in a group of each hierarchy, "0::/a/b" of version 2 and "4:cpu,cpuacct:/a/b" of version 1, and every
// group of the path may have a bound: 4.5 cores for /a, "450000 100000", and all for /a/b, "max 100000", are 5.

#include "foundation/quota.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

namespace kasc {

namespace {

/// Microseconds of a period; none where there is no bound, "max" or -1.
std::optional<double> cores_of(const std::string& quota, const std::string& period) {
    const double time = std::strtod(quota.c_str(), nullptr), of = std::strtod(period.c_str(), nullptr);
    return time > 0 && of > 0 ? std::optional(time / of) : std::nullopt;
}

std::string first_word(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string word;
    in >> word;
    return word;
}

std::optional<double> quota_of(const std::filesystem::path& group) {
    std::ifstream both(group / "cpu.max");
    std::string quota, period;
    if (both >> quota >> period) return cores_of(quota, period);
    return cores_of(first_word(group / "cpu.cfs_quota_us"), first_word(group / "cpu.cfs_period_us"));
}

}  // namespace

std::optional<int> cores_of_quota(const std::filesystem::path& membership, const std::filesystem::path& groups) {
    std::optional<double> least;
    std::ifstream in(membership);
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
        const std::filesystem::path mounted = controllers.empty() ? groups : groups / "cpu";
        std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();
        while (true) {
            if (const auto cores = quota_of(mounted / group); cores && (!least || *cores < *least)) least = cores;
            if (group.empty()) break;
            group = group.parent_path();
        }
    }
    if (!least) return std::nullopt;
    constexpr double most = 1 << 20;  // no machine has more
    return std::max(1, static_cast<int>(std::ceil(std::min(*least, most))));
}

}  // namespace kasc
