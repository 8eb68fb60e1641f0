// What int(e), operators on bits and the functions of reals give, number by number: also of negative numbers, of those
// beyond 32 bits and of what is no number.
#include "cut_numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kasc::exact {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int highest = std::numeric_limits<int>::max(), lowest = std::numeric_limits<int>::min();

class Numbers : public testing::Test {
protected:
    const std::vector<double> d{
        0.0,           -0.0,          0.5,   -0.5,   1.5,      -1.5,      2.5,          -2.5,         0.999,
        -0.999,        255.9,         256.5, -3,     1e9,      -1e9,      2147483646.5, 2147483647.5, 2147483648.0,
        -2147483648.5, -2147483649.5, 1e30,  -1e300, infinite, -infinite, std::nan("")};
    const std::vector<int> a{0,  1,  2,     3,    -1,   -2, 7,       -7,     12,      -12,     255, 256, highest,
                             -5, 85, 12345, -678, 1024, 65, highest, lowest, -100000, 1 << 30, 33,  4};
    const std::vector<int> n{0, 1, 2, 3, 31, 5, -1, 4, 10, -6, 32, 33, 1, -3, 51, 7, 64, 5, 2, 3, 100, 6, 1, 31, 63};
    std::vector<float> r;
    std::vector<int> cut_r, cut_d, rounded, both, either, apart, left, right, turned, least, size;
    std::vector<unsigned char> byte;
    std::vector<float> back, one, two;
    std::vector<double> one_d, two_d;

    void SetUp() override {
        const std::size_t cells = d.size();
        ASSERT_EQ(a.size(), cells);
        ASSERT_EQ(n.size(), cells);
        for (const double number : d) r.push_back(static_cast<float>(number));
        cut_numbers_arguments given{};
        given.nx = static_cast<long long>(cells), given.nf = 15, given.ng = 3;
        given.r = r.data(), given.d = d.data(), given.a = a.data(), given.n = n.data();
        const auto sized = [](auto& words, std::size_t count) {
            words.resize(count);
            return words.data();
        };
        given.cut_r = sized(cut_r, cells), given.cut_d = sized(cut_d, cells), given.rounded = sized(rounded, cells);
        given.byte = sized(byte, cells), given.both = sized(both, cells), given.either = sized(either, cells);
        given.apart = sized(apart, cells), given.left = sized(left, cells), given.right = sized(right, cells);
        given.turned = sized(turned, cells), given.least = sized(least, cells), given.size = sized(size, cells);
        given.back = sized(back, cells), given.one = sized(one, 15 * cells), given.two = sized(two, 3 * cells);
        given.one_d = sized(one_d, 15 * cells), given.two_d = sized(two_d, 3 * cells);
        ASSERT_EQ(cut_numbers_compute(&given, nullptr, nullptr, nullptr), 0) << cut_numbers_message();
    }

    static int cut(double number) {
        if (std::isnan(number)) return 0;
        return number >= highest ? highest : number <= lowest ? lowest : static_cast<int>(number);
    }

    template <class Real>
    static void expect_same(Real found, Real expected, const char* what, double of) {
        EXPECT_TRUE(std::isnan(expected) ? std::isnan(found) : found == expected)
            << what << " of " << of << " is " << found << ", not " << expected;
    }

    template <class Real>
    void expect_functions(const std::vector<Real>& words, const std::vector<Real>& numbers) const {
        struct Function {
            const char* name;
            Real (*of)(Real);
        };
        const std::array<Function, 15> functions{{{"expm1", std::expm1},
                                                  {"log2", std::log2},
                                                  {"log10", std::log10},
                                                  {"log1p", std::log1p},
                                                  {"cbrt", std::cbrt},
                                                  {"asin", std::asin},
                                                  {"acos", std::acos},
                                                  {"atan", std::atan},
                                                  {"sinh", std::sinh},
                                                  {"cosh", std::cosh},
                                                  {"erf", std::erf},
                                                  {"erfc", std::erfc},
                                                  {"ceil", std::ceil},
                                                  {"round", std::round},
                                                  {"floor", std::floor}}};
        for (std::size_t k = 0; k < functions.size(); ++k) {
            for (std::size_t i = 0; i < numbers.size(); ++i)
                expect_same(words[k * numbers.size() + i], functions[k].of(numbers[i]), functions[k].name,
                            static_cast<double>(numbers[i]));
        }
    }
};

TEST_F(Numbers, RealsAreCutToIntegers) {
    for (std::size_t i = 0; i < d.size(); ++i) {
        EXPECT_EQ(cut_d[i], cut(d[i])) << d[i];
        EXPECT_EQ(cut_r[i], cut(static_cast<double>(r[i]))) << r[i];
        EXPECT_EQ(rounded[i], cut(std::round(d[i]))) << d[i];
        EXPECT_EQ(byte[i], static_cast<unsigned char>(cut(static_cast<double>(r[i])))) << r[i];
    }
    EXPECT_EQ(cut_d[15], 2147483646);
    EXPECT_EQ(cut_r[15], highest) << "the nearest float is 2^31";
    EXPECT_EQ(cut_d.back(), 0);
    EXPECT_EQ(cut_r.back(), 0);
}

TEST_F(Numbers, BitsAreThoseOf32) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto bits = static_cast<std::uint32_t>(a[i]);
        EXPECT_EQ(both[i], a[i] & n[i]);
        EXPECT_EQ(either[i], a[i] | n[i]);
        EXPECT_EQ(apart[i], a[i] ^ n[i]);
        EXPECT_EQ(turned[i], -1 - a[i]);
        EXPECT_EQ(left[i], static_cast<int>(bits << (n[i] & 31))) << a[i] << " << " << n[i];
        EXPECT_EQ(right[i], static_cast<int>(std::floor(std::ldexp(a[i], -(n[i] & 31))))) << a[i] << " >> " << n[i];
        EXPECT_EQ(size[i], std::abs(n[i]));
        EXPECT_EQ(back[i], static_cast<float>(a[i] / 2) / 4 + static_cast<float>(n[i] & 1));
        EXPECT_EQ(least[i], std::min(a[i], n[i]) + 1000 * std::max(n[i], 3));
    }
}

TEST_F(Numbers, FunctionsAreThoseOfTheMathematicsLibrary) {
    expect_functions(one, r);
    expect_functions(one_d, d);
    for (std::size_t i = 0; i < d.size(); ++i) {
        const std::size_t cells = d.size();
        expect_same(two[i], std::atan2(r[i], static_cast<float>(n[i])), "atan2", d[i]);
        expect_same(two[cells + i], std::hypot(r[i], static_cast<float>(n[i])), "hypot", d[i]);
        expect_same(two_d[i], std::atan2(d[i], static_cast<double>(n[i])), "atan2", d[i]);
        expect_same(two_d[cells + i], std::hypot(d[i], static_cast<double>(n[i])), "hypot", d[i]);
    }
}

TEST_F(Numbers, ConditionsAreChosenByConditions) {
    for (std::size_t i = 0; i < d.size(); ++i) {
        const bool chosen = r[i] < 0 ? a[i] > 3 : a[i] < 2;
        EXPECT_EQ(two[2 * d.size() + i], n[i] > 0 ? 1.0F : chosen ? 2.0F : 3.0F) << i;
    }
}

}  // namespace
}  // namespace kasc::exact
