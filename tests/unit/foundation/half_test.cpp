// Numbers of 16 bits beside what IEEE 754 says of them, in long arithmetic of doubles.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "foundation/cell_type.hpp"

namespace kasc {
namespace {

/// A number of so many digits and a smallest exponent, rounded to nearest, ties to even; what reaches `beyond` is
/// infinite.
double rounded(double value, int digits, int least_exponent, double beyond) {
    if (value == 0 || !std::isfinite(value)) return value;
    int exponent = 0;
    static_cast<void>(std::frexp(value, &exponent));
    const int last = std::max(exponent, least_exponent) - digits;
    const double result = std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
    return std::abs(result) >= beyond ? std::copysign(std::numeric_limits<double>::infinity(), value) : result;
}
double as_half(double value) { return rounded(value, 11, -13, 65536); }
double as_bfloat16(double value) { return rounded(value, 8, -125, std::ldexp(1.0, 128)); }

/// Around every number and every middle of two, in steps that a float cannot see as well.
template <class Short>
void expect_rounding(double (*expected)(double)) {
    for (unsigned bits = 0; bits < 0x7fff; ++bits) {
        Short low{}, high{};
        low.bits = static_cast<unsigned short>(bits);
        high.bits = static_cast<unsigned short>(bits + 1);
        if (!std::isfinite(static_cast<float>(low)) || !std::isfinite(static_cast<float>(high))) continue;
        const double a = static_cast<double>(low), b = static_cast<double>(high), middle = (a + b) / 2;
        for (const double value : {a, middle, std::nextafter(middle, a), std::nextafter(middle, b), (3 * a + b) / 4}) {
            EXPECT_EQ(static_cast<double>(Short(value)), expected(value)) << value;
            EXPECT_EQ(static_cast<double>(Short(-value)), -expected(value)) << -value;
            const auto single = static_cast<float>(value);
            EXPECT_EQ(static_cast<double>(Short(single)), expected(static_cast<double>(single))) << single;
        }
    }
}

TEST(Half, RoundsOnceFromFloatAndFromDouble) { expect_rounding<kasc_half>(as_half); }
TEST(Half, OfAFloatsUpperHalfAlike) { expect_rounding<kasc_bfloat16>(as_bfloat16); }

TEST(Half, KeepsWhatItHolds) {
    for (unsigned bits = 0; bits <= 0xffff; ++bits) {
        kasc_half half{};
        half.bits = static_cast<unsigned short>(bits);
        const auto number = static_cast<float>(half);
        if (std::isnan(number)) {
            EXPECT_TRUE(std::isnan(static_cast<float>(kasc_half(number))));
        } else {
            EXPECT_EQ(kasc_half(number).bits, bits);
        }
    }
}

TEST(Half, BeyondTheLargestIsInfinite) {
    EXPECT_EQ(static_cast<float>(kasc_half(65519.0)), 65504.0F);
    EXPECT_TRUE(std::isinf(static_cast<float>(kasc_half(65520.0))));
    EXPECT_TRUE(std::isinf(static_cast<float>(kasc_half(-1e300))));
    EXPECT_TRUE(std::isinf(static_cast<float>(kasc_bfloat16(3.4e38F))));
    EXPECT_TRUE(std::isnan(static_cast<float>(kasc_half(std::nan("")))));
    EXPECT_TRUE(std::isnan(static_cast<float>(kasc_bfloat16(std::nanf("")))));
}

TEST(Half, OfRandomNumbers) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 200000; ++i) {
        const double value = std::ldexp(static_cast<double>(random() >> 11U), static_cast<int>(random() % 80) - 90);
        EXPECT_EQ(static_cast<double>(kasc_half(value)), as_half(value)) << value;
        EXPECT_EQ(static_cast<double>(kasc_bfloat16(value)), as_bfloat16(value)) << value;
    }
}

}  // namespace
}  // namespace kasc
