#include "runtime/runs/not_finite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kasc::runtime {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

TEST(NotFinite, CountsAndPlacesOfEveryType) {
    const std::vector<float> reals{1, 2, infinite, 4, std::nanf(""), 3.4e38F};
    const NotFinite found = not_finite({"T", {2, 3}, reals});
    EXPECT_EQ(found.count, 2U);
    EXPECT_EQ(found.of, 6U);
    EXPECT_EQ(found.first, (Shape{0, 2}));
    // The imaginary part of the second cell.
    const NotFinite complex = not_finite({"P", {3}, Words(WordType::complex64, reals.data(), 3)});
    EXPECT_EQ(complex.count, 2U);
    EXPECT_EQ(complex.first, (Shape{1}));
    const std::vector<double> doubles{1, 1e300, -std::numeric_limits<double>::infinity()};
    EXPECT_EQ(not_finite({"D", {3}, Words(WordType::float64, doubles.data(), 3)}).first, (Shape{2}));
    // The same bytes are integers.
    EXPECT_EQ(not_finite({"N", {6}, Words(WordType::int32, reals.data(), 6)}).count, 0U);
    EXPECT_EQ(not_finite({"streamed", {6}, {}}).count, 0U);
}

TEST(NotFinite, OneWarningTellsAll) {
    NotFinite rows{"p", 0, 10};
    EXPECT_TRUE(not_finite_results({rows}).empty());
    rows.add({"p", 2, 10, {7, 1}});
    rows.add({"p", 10, 10, {8, 0}});
    const Diagnostics said = not_finite_results({{"T", 0, 5}, rows, {"u", 1, 4, {3}}});
    ASSERT_EQ(said.size(), 1U);
    EXPECT_FALSE(has_errors(said));
    EXPECT_EQ(said.front().code + " " + said.front().message,
              "K0748 results are not finite: 12 of 30 values of 'p', the first at [7, 1]");
    ASSERT_EQ(said.front().notes.size(), 1U);
    EXPECT_EQ(said.front().notes.front().text, "so are 1 of 4 values of 'u', the first at [3]");
}

}  // namespace
}  // namespace kasc::runtime
