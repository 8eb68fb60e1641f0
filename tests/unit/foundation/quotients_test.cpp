// support/kasc_quotients.hpp beside divisions.
#include "../../../support/kasc_quotients.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>

#include "foundation/divisors.hpp"

namespace kasc {
namespace {

constexpr double divisors[] = {3, -6, 12, 5, 7, 10, 100, 1000, 65535, 0.75, -1.5, 0.0029296875, 8e6};

TEST(Quotients, OfAllMantissasAreRoundedAsDivisionsAre) {
    for (const double divisor : divisors) {
        const auto c = static_cast<float>(divisor);
        if (!is_divided_by_products(c)) continue;
        for (std::uint32_t mantissa = 0x3f800000u; mantissa < 0x40000000u; mantissa += 3) {
            const auto x = std::bit_cast<float>(mantissa);
            ASSERT_EQ(kasc_overf(x, c), x / c) << x << " / " << c;
        }
    }
}

TEST(Quotients, OfDrawnNumbersAreRoundedAsDivisionsAre) {
    std::mt19937_64 random(7);
    for (int draw = 0; draw < 2'000'000; ++draw) {
        const double c = divisors[random() % std::size(divisors)];
        ASSERT_TRUE(is_divided_by_products(c)) << c;
        const auto x = std::bit_cast<double>(random());
        if (std::isnan(x) || std::abs(x / c) < 0x1p-960) continue;
        ASSERT_EQ(kasc_over(x, c), x / c) << x << " / " << c;
        const auto of_float = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        const auto single = static_cast<float>(c);
        if (std::isnan(of_float) || std::abs(of_float / single) < 0x1p-100f) continue;
        ASSERT_EQ(kasc_overf(of_float, single), of_float / single) << of_float << " / " << single;
    }
}

TEST(Quotients, OfInfinitiesAndZerosHaveTheirSigns) {
    for (const double divisor : divisors) {
        const auto c = static_cast<float>(divisor);
        for (const float x : {0.0f, -0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(),
                              -std::numeric_limits<float>::infinity()}) {
            EXPECT_EQ(std::bit_cast<std::uint32_t>(kasc_overf(x, c)), std::bit_cast<std::uint32_t>(x / c)) << x << c;
            EXPECT_EQ(std::bit_cast<std::uint64_t>(kasc_over(x, c)),
                      std::bit_cast<std::uint64_t>(double{x} / double{c}));
        }
        EXPECT_TRUE(std::isnan(kasc_overf(std::numeric_limits<float>::quiet_NaN(), c)));
    }
}

TEST(Quotients, ByOtherNumbersAreDivisions) {
    for (const double c : {0.0, 1.0, 2.0, -0.5, 0.1, 1.0 / 3, 1e300, 65537.0 * 3, 131071.0})
        EXPECT_FALSE(is_divided_by_products(c)) << c;
    EXPECT_FALSE(is_divided_by_products(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(is_divided_by_products(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_TRUE(is_power_of_two(-0.25));
    EXPECT_FALSE(is_power_of_two(0));
    EXPECT_FALSE(is_power_of_two(6));
}

}  // namespace
}  // namespace kasc
