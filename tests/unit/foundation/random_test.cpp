// support/kasc_random.hpp beside the known answers of its authors (Random123, kat_vectors), and how evenly it falls.

#include "../../../support/kasc_random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace kasc {
namespace {

using Words = std::array<unsigned, 4>;

Words philox(const Words& count, unsigned key_0, unsigned key_1) {
    const kasc_random_words made = kasc_philox({{count[0], count[1], count[2], count[3]}}, key_0, key_1);
    return {made.word[0], made.word[1], made.word[2], made.word[3]};
}

TEST(Random, IsPhilox4x32) {
    EXPECT_EQ(philox({0, 0, 0, 0}, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff, 0xffffffff),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, FallsEvenlyBelowOne) {
    constexpr int count = 100000, bins = 50;
    std::array<int, bins> single{}, dual{};
    for (int n = 0; n < count; ++n) {
        const float f = kasc_randomf(3, n, 0, 0, 0);
        const double d = kasc_random(3, n, 0, 0, 0);
        ASSERT_TRUE(f >= 0 && f < 1 && d >= 0 && d < 1);
        ++single.at(static_cast<std::size_t>(f * bins));
        ++dual.at(static_cast<std::size_t>(d * bins));
    }
    // Chi squared of 49 degrees of freedom is below 95 but for one time in ten thousand.
    for (const auto& bin : {single, dual}) {
        double sum = 0;
        for (const int n : bin) sum += std::pow(n - count / bins, 2) / (count / bins);
        EXPECT_LT(sum, 95);
    }
}

}  // namespace
}  // namespace kasc
