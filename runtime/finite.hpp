#pragma once
// Reals that are infinite or no numbers, counted at the rate at which memory is read.

#include <cstdint>

#include "runtime/interface.hpp"

namespace kasc::runtime {

struct NotFiniteCount {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  ///< which real it is; no meaning where there is none

    /// Adds the count of other words; which of them come first, is all the same.
    void add(const NotFiniteCount& other);
};

/// Counts what is not finite among `size` words from `words` on, the first of which is number `from`. A complex word is
/// two reals: numbers are of reals. Integers are finite.
[[nodiscard]] NotFiniteCount count_not_finite(WordType type, const void* words, std::uint64_t size,
                                              std::uint64_t from = 0);
/// The same by all cores.
[[nodiscard]] NotFiniteCount count_all_not_finite(WordType type, const void* words, std::uint64_t size);

}  // namespace kasc::runtime
