// What is said of the error of an overlap.
#include "basis/known_error.hpp"

#include <gtest/gtest.h>

namespace kasc::basis {
namespace {

TEST(KnownError, FallsWithTheOverlap) {
    EXPECT_FALSE(known_error(3));
    double smooth = 1, rough = 1;
    for (const long long overlap : {4, 8, 12, 16, 20}) {
        const auto known = known_error(overlap);
        ASSERT_TRUE(known);
        EXPECT_LT(known->smooth, smooth);
        EXPECT_LE(known->rough, rough);
        EXPECT_LE(known->smooth, known->rough);
        EXPECT_EQ(known_error(overlap + 1)->smooth, known->smooth);
        smooth = known->smooth, rough = known->rough;
    }
}

TEST(KnownError, TheShortestOverlapSaysIt) {
    Blocks blocks;
    blocks.axes = {{AxisId{0}, 64, 2, 16, 64}, {AxisId{1}, 64, 2, 8, 48}};
    EXPECT_EQ(
        known_error_text(blocks),
        "known of overlaps of 8: waves differ from those of the whole grid by 9e-05 of the largest where they are "
        "smooth, by 2e-03 of sources of single points\n");
    blocks.axes[1].overlap = 2;
    EXPECT_EQ(known_error_text(blocks), "nothing is known of the error of overlaps of 2\n");
}

}  // namespace
}  // namespace kasc::basis
