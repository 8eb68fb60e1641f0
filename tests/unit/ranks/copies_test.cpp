// What ranks of one memory have copies of, and which of it is as the owner has it.
#include "ranks/copies.hpp"

#include <gtest/gtest.h>

namespace kasc::ranks {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
using Ranges = std::vector<ByteRange>;
using OfRanks = std::vector<Ranges>;

TEST(PagesNear, LieBesideAPartAndAreOthers) {
    EXPECT_EQ(pages_near({8 * mib, 16 * mib, 24 * mib}, {3 * mib, false}, 2 * mib),
              (OfRanks{{{8 * mib, 12 * mib}}, {{4 * mib, 8 * mib}, {16 * mib, 20 * mib}}, {{12 * mib, 16 * mib}}}));
    EXPECT_EQ(pages_near({8 * mib, 16 * mib}, {0, true}, 2 * mib), (OfRanks{{}, {}}));
    // As far as there is anything.
    EXPECT_EQ(pages_near({2 * mib, 4 * mib}, {9 * mib, false}, 2 * mib),
              (OfRanks{{{2 * mib, 4 * mib}}, {{0, 2 * mib}}}));
}

TEST(PagesNear, GoOnAtTheOtherEnd) {
    EXPECT_EQ(pages_near({8 * mib, 16 * mib, 24 * mib}, {mib, true}, mib),
              (OfRanks{{{8 * mib, 9 * mib}, {23 * mib, 24 * mib}},
                       {{7 * mib, 8 * mib}, {16 * mib, 17 * mib}},
                       {{0, mib}, {15 * mib, 16 * mib}}}));
    // Both sides meet.
    EXPECT_EQ(pages_near({8 * mib, 12 * mib}, {3 * mib, true}, mib),
              (OfRanks{{{8 * mib, 12 * mib}}, {{0, 3 * mib}, {5 * mib, 8 * mib}}}));
}

TEST(PagesNear, OfAnArrayOnTheFirstAreAllTheOthersHave) {
    EXPECT_EQ(pages_near({2 * mib, 2 * mib, 2 * mib}, {2 * mib, false}, 2 * mib),
              (OfRanks{{}, {{0, 2 * mib}}, {{0, 2 * mib}}}));
}

TEST(Copies, AreBroughtOnceUntilTheirBytesAreStoredAnew) {
    Copies copies;
    const int array = 0, other = 0;
    EXPECT_EQ(copies.bring(1, &array, {10, 30}), (Ranges{{10, 30}}));
    EXPECT_EQ(copies.bring(1, &array, {10, 30}), Ranges{});
    EXPECT_EQ(copies.bring(1, &array, {5, 40}), (Ranges{{5, 10}, {30, 40}}));
    EXPECT_EQ(copies.bring(0, &array, {10, 30}), (Ranges{{10, 30}})) << "each rank has its own";
    copies.store(&other, {0, 100});
    copies.store(&array, {20, 20});
    EXPECT_EQ(copies.bring(1, &array, {10, 30}), Ranges{});
    copies.store(&array, {15, 20});
    EXPECT_EQ(copies.bring(1, &array, {10, 30}), (Ranges{{15, 20}}));
    EXPECT_EQ(copies.bring(0, &array, {0, 30}), (Ranges{{0, 10}, {15, 20}}));
    EXPECT_EQ(copies.bring(0, &array, {7, 7}), Ranges{});
}

}  // namespace
}  // namespace kasc::ranks
