#pragma once
// Picks programs that run every day: of many alike some, and by name those that have a walk or a type that these lack.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/of_the_day.hpp"

namespace kasc::test {

/// One of `apart`, and those that are needed; with KASC_FULL all.
inline std::vector<std::filesystem::path> programs_of_the_day(const std::vector<std::filesystem::path>& all,
                                                              std::size_t apart, const std::set<std::string>& needed) {
    std::vector<std::filesystem::path> some;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (k % one_of(apart) == 0 || needed.contains(all[k].stem().string())) some.push_back(all[k]);
    return some;
}

}  // namespace kasc::test
