#include "ranks/listed_shares.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace kasc::ranks {
namespace {

/// First block and number of blocks of each rank.
std::vector<std::pair<long long, long long>> parts(const LaunchShares& shares) {
    std::vector<std::pair<long long, long long>> all;
    for (const GridShare& share : shares.of_rank)
        all.emplace_back(share.first[shares.along], share.blocks[shares.along]);
    return all;
}
using Parts = std::vector<std::pair<long long, long long>>;

TEST(ListedShares, BlocksGoToWhoHasTheirPlanes) {
    const std::vector<PlanesOfBlock> planes{{{0, 6}}, {{5, 13}}, {{12, 20}}};
    EXPECT_EQ(parts(share_listed({3, 1, 1}, 0, {{planes, {10, 20}, false}})), (Parts{{0, 2}, {2, 1}}));
    // Plane 12 is stored by the block before.
    EXPECT_EQ(parts(share_listed({3, 1, 1}, 0, {{planes, {10, 20}, true}})), (Parts{{0, 3}, {0, 0}}));
    EXPECT_EQ(parts(share_listed({1, 1, 1}, 0, {{{{{15, 16}}}, {10, 20}, true}})), (Parts{{0, 0}, {0, 1}}));
}

TEST(ListedShares, BlocksWithoutEntriesStayWithTheOthers) {
    const std::vector<PlanesOfBlock> planes{{}, {{15, 16}}, {}, {{3, 4}}};
    EXPECT_EQ(parts(share_listed({4, 1, 1}, 0, {{planes, {10, 20}, true}})), (Parts{{0, 1}, {1, 3}}));
}

TEST(ListedShares, RangesAreJoined) {
    const PlanesOfBlock all = planes_of({{{4, 5}}, {{1, 2}, {7, 9}}, {{2, 4}}}, 1, 2);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(std::pair(all[0].low, all[0].high), std::pair(1LL, 4LL));
    EXPECT_EQ(std::pair(all[1].low, all[1].high), std::pair(7LL, 9LL));
}

/// Whatever lists say: a plane that is stored is one rank's, and every block is computed once.
TEST(ListedShares, NoPlaneIsStoredByTwo) {
    std::mt19937 random(11);
    const auto draw = [&](int below) { return static_cast<long long>(random() % static_cast<unsigned>(below)); };
    for (int run = 0; run < 300; ++run) {
        const int ranks = 1 + static_cast<int>(draw(5));
        const long long extent = 1 + draw(30), blocks = 1 + draw(12);
        const bool ascending = draw(2) == 0;
        std::vector<ListedBlocks> arrays;
        for (int a = 0; a < 2; ++a) {
            ListedBlocks array{{}, cut_cells(extent, ranks), draw(3) > 0};
            for (long long b = 0; b < blocks; ++b) {
                PlanesOfBlock planes;
                for (long long k = draw(4); k > 0; --k) {
                    const long long at =
                        ascending ? std::min(extent - 1, b * extent / blocks + draw(3)) : draw(30) % extent;
                    planes.push_back({at, at + 1});
                }
                array.planes.push_back(apart(std::move(planes)));
            }
            arrays.push_back(std::move(array));
        }
        const LaunchShares shares = share_listed({1, blocks, 1}, 1, arrays);
        long long next = 0;
        std::vector<std::set<long long>> stored(2);
        for (const GridShare& share : shares.of_rank) {
            if (share.empty()) continue;
            EXPECT_EQ(share.first[1], next);
            next += share.blocks[1];
            for (std::size_t a = 0; a < 2; ++a) {
                if (!arrays[a].stored) continue;
                for (const CellRange& range : planes_of(arrays[a].planes, share.first[1], share.blocks[1]))
                    for (long long z = range.low; z < range.high; ++z) EXPECT_TRUE(stored[a].insert(z).second);
            }
        }
        EXPECT_EQ(next, blocks);
    }
}

}  // namespace
}  // namespace kasc::ranks
