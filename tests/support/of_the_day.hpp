#pragma once
// Picks those of many tests alike that run every day: always the same ones, spread over all of them. With KASC_FULL in
// the environment, as tests/check.sh --full has it, all of them run.

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace kasc::test {

/// How far apart those are that run: `apart`, or with KASC_FULL 1.
[[nodiscard]] inline std::size_t one_of(std::size_t apart) { return std::getenv("KASC_FULL") != nullptr ? 1 : apart; }

/// Each takes some seconds of a core: one of so many.
template <class Item>
std::vector<Item> of_the_day(const std::vector<Item>& all, std::size_t apart = 3) {
    std::vector<Item> some;
    for (std::size_t k = 0; k < all.size(); k += one_of(apart)) some.push_back(all[k]);
    return some;
}

}  // namespace kasc::test
