#include "libcheck/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace kasc::libcheck {
namespace {

using Sum = std::function<float(const Words&)>;

double magnitude(const Sum& f, const Words& arguments) {
    const Words result{f(arguments)};
    Magnitudes magnitudes(result);
    while (!magnitudes.complete()) magnitudes.take({f(magnitudes.disturbed(arguments))});
    return magnitudes.values().front();
}

TEST(Magnitudes, AreOfWhatIsSummedWhateverCancels) {
    const Sum difference = [](const Words& x) { return x[0] * x[1] - x[2] * x[3]; };
    // a b - c d changes by up to 2 (|a b| + |c d|) parts; random signs find a good part of it.
    const double found = magnitude(difference, {3, 1, 1, 3});
    EXPECT_GT(found, 6);
    EXPECT_LT(found, 12.1);
    EXPECT_NEAR(magnitude([](const Words& x) { return x[0]; }, {-5}), 10, 0.1);
}

TEST(Roundings, OfASumInAnotherOrderAreFew) {
    const Words x{1.1F, -2.3F, 0.7F, 1.9F, -1.3F};
    const Sum forwards = [](const Words& v) { return (((v[0] + v[1]) + v[2]) + v[3]) + v[4]; };
    const Sum backwards = [](const Words& v) { return v[0] + (v[1] + (v[2] + (v[3] + v[4]))); };
    const double size = magnitude(forwards, x);
    EXPECT_NE(forwards(x), backwards(x));
    EXPECT_EQ(compare_words(backwards(x), forwards(x), size, 0, false), Likeness::rounding);
    EXPECT_EQ(compare_words(backwards(x), forwards(x), size, 1e-6, false), Likeness::stated);
    EXPECT_EQ(compare_words(forwards(x) + 1e-5F, forwards(x), size, 0, false), Likeness::unlike);
    EXPECT_EQ(compare_words(forwards(x) + 1e-5F, forwards(x), size, 1e-5, false), Likeness::stated);
}

TEST(Roundings, OfValuesThatAreNotFiniteAreNone) {
    constexpr float infinity = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(compare_words(infinity, 1, 1, 0, false), Likeness::unlike);
    EXPECT_EQ(compare_words(none, 1, 1, 1e-6, false), Likeness::unlike);
    EXPECT_EQ(compare_words(infinity, -infinity, infinity, 0, false), Likeness::unlike);
    // Sums of numbers near the largest overflow in one order and not in another.
    EXPECT_TRUE(is_extreme(std::numeric_limits<float>::max()));
    EXPECT_TRUE(is_extreme(-std::numeric_limits<float>::denorm_min()));
    EXPECT_FALSE(is_extreme(0) || is_extreme(1e30F) || is_extreme(infinity));
    EXPECT_EQ(compare_words(infinity, 1, 1, 0, true), Likeness::rounding);
}

}  // namespace
}  // namespace kasc::libcheck
