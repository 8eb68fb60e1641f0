// support/kasc_quotients.hpp beside divisions.
#include "kasc_quotients.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "foundation/divisors.hpp"

namespace kasc {
namespace {

/// Which quotients are rounded as divisions are, all of them.
bool is_short(double divisor) {
    constexpr double most_odd_part = 65536, most_exponent = 40;
    int exponent = 0;
    double odd_part = std::abs(std::frexp(divisor, &exponent));
    if (!std::isfinite(divisor) || odd_part == 0 || std::abs(exponent) > most_exponent) return false;
    while (odd_part != std::floor(odd_part) && odd_part < most_odd_part) odd_part *= 2;
    return odd_part < most_odd_part;
}

constexpr double divisors[] = {3, -6, 12, 5, 7, 10, 100, 1000, 65535, 0.75, -1.5, 0.0029296875, 8e6};

TEST(Quotients, OfAllMantissasAreRoundedAsDivisionsAre) {
    for (const double divisor : divisors) {
        const auto c = static_cast<float>(divisor);
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
        ASSERT_TRUE(is_short(c)) << c;
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

TEST(Quotients, ByOtherNumbersHaveAnotherLastBitNowAndThen) {
    std::mt19937_64 random(11);
    const auto drawn = [&] { return 1 + static_cast<double>(random() >> 12) * 0x1p-52; };
    constexpr int numbers = 400, dividends = 10'000;
    int others = 0;
    for (int k = 0; k < numbers; ++k) {
        const double c = drawn();
        const auto single = static_cast<float>(c);
        const float hi = kasc_inversef(single), lo = kasc_inverse_restf(single);
        for (int i = 0; i < dividends; ++i) {
            const double x = drawn();
            ASSERT_EQ(kasc_over(x, c), x / c) << x << " / " << c;
            const auto of_float = static_cast<float>(x);
            const float quotient = kasc_overf(of_float, hi, lo), nearest = of_float / single;
            others += quotient == nearest ? 0 : 1;
            ASSERT_LE(std::abs(std::bit_cast<int>(quotient) - std::bit_cast<int>(nearest)), 1);
        }
    }
    EXPECT_LE(others, 3);
}

TEST(Quotients, ByZerosInfinitiesAndNoNumbersAreThoseOfDivisions) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float c : {0.0f, -0.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 3e37f, 2e-38f}) {
        for (const float x : {0.0f, -0.0f, 1.0f, -3.0f, infinity, 1e-30f}) {
            const float quotient = kasc_overf(x, kasc_inversef(c), kasc_inverse_restf(c)), division = x / c;
            if (std::isnan(division))
                EXPECT_TRUE(std::isnan(quotient)) << x << " / " << c;
            else
                EXPECT_EQ(std::bit_cast<std::uint32_t>(quotient), std::bit_cast<std::uint32_t>(division)) << x << c;
            const double of_double = kasc_over(double{x}, double{c});
            EXPECT_TRUE(std::isnan(division) ? std::isnan(of_double) : of_double == double{x} / double{c});
        }
    }
}

TEST(Quotients, PowersOfTwo) {
    EXPECT_TRUE(is_power_of_two(-0.25));
    EXPECT_FALSE(is_power_of_two(0));
    EXPECT_FALSE(is_power_of_two(6));
    EXPECT_FALSE(is_power_of_two(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(is_power_of_two(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace kasc
