#pragma once
// random(seed, a, b, c, d) as the language defines it: Philox4x32 with ten rounds, of 64-bit products.

#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace kasc::test {

/// The four words of a count and a key (Salmon et al., SC 2011).
[[nodiscard]] inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> count,
                                                         std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53} * count[0], second = std::uint64_t{0xCD9E8D57} * count[2];
        count = {static_cast<std::uint32_t>(second >> 32U) ^ count[1] ^ key[0], static_cast<std::uint32_t>(second),
                 static_cast<std::uint32_t>(first >> 32U) ^ count[3] ^ key[1], static_cast<std::uint32_t>(first)};
        key[0] += 0x9E3779B9U;
        key[1] += 0xBB67AE85U;
    }
    return count;
}

/// A random number by a seed and four numbers.
template <class Real>
[[nodiscard]] Real random_number(const std::array<std::uint32_t, 5>& of) {
    const auto words = philox({of[1], of[2], of[3], of[4]}, {of[0], 0});
    if constexpr (std::is_same_v<Real, float>) return std::ldexp(static_cast<float>(words[0] >> 8U), -24);
    return static_cast<Real>(std::ldexp(static_cast<double>((std::uint64_t{words[0]} << 32U | words[1]) >> 11U), -53));
}

}  // namespace kasc::test
