#include "ranks/shares.hpp"

#include <gtest/gtest.h>

namespace kasc::ranks {
namespace {

constexpr std::uint64_t mb = std::uint64_t{1} << 20U;

TEST(Shares, EveryBlockIsOfOneRank) {
    for (const Grid& grid : {Grid{1, 1, 1}, Grid{7, 1, 1}, Grid{4, 128, 3}, Grid{4, 128, 64}, Grid{2, 2, 5}}) {
        for (int ranks = 1; ranks <= 5; ++ranks) {
            const LaunchShares shares = share_blocks(grid, ranks);
            ASSERT_EQ(shares.of_rank.size(), static_cast<std::size_t>(ranks));
            long long next = 0;
            for (const GridShare& share : shares.of_rank) {
                for (std::size_t d = 0; d < 3; ++d) {
                    if (d == shares.along) continue;
                    EXPECT_EQ(share.first[d], 0);
                    EXPECT_EQ(share.blocks[d], grid[d]);
                }
                EXPECT_EQ(share.first[shares.along], next);
                next += share.blocks[shares.along];
            }
            EXPECT_EQ(next, grid[shares.along]);
        }
    }
}

TEST(Shares, LaunchesAreCutWhereMemoryIs) {
    EXPECT_EQ(share_blocks({4, 128, 64}, 4).along, 2U);
    EXPECT_EQ(share_blocks({1000, 1, 1}, 4).along, 0U);
    // Ten planes are uneven parts for four ranks; rows are enough.
    EXPECT_EQ(share_blocks({4, 128, 10}, 4).along, 1U);
    // No dimension has even parts: the outermost that has one a rank.
    EXPECT_EQ(share_blocks({3, 6, 5}, 4).along, 2U);
    // Fewer blocks than ranks: some have none.
    EXPECT_EQ(share_blocks({3, 2, 1}, 4).along, 0U);
    EXPECT_TRUE(share_blocks({3, 2, 1}, 4).of_rank.front().empty());
}

TEST(Shares, OnTheFirstTheOthersHaveNothing) {
    const LaunchShares shares = on_first({2, 3, 4}, 3);
    EXPECT_EQ(shares.of_rank[0].blocks, (Grid{2, 3, 4}));
    EXPECT_TRUE(shares.of_rank[1].empty());
    EXPECT_TRUE(shares.of_rank[2].empty());
}

TEST(Shares, RimsAreComputedFirst) {
    const auto parts = parts_of(share_blocks({4, 1, 64}, 2), 2);
    ASSERT_EQ(parts.size(), 4U);
    const auto is = [](const LanePart& part, int rank, int lane, long long first, long long blocks) {
        return part.rank == rank && part.lane == lane && part.share.first[2] == first && part.share.blocks[2] == blocks;
    };
    EXPECT_TRUE(is(parts[0], 0, 2, 30, 2));
    EXPECT_TRUE(is(parts[1], 0, 0, 0, 30));
    EXPECT_TRUE(is(parts[2], 1, 3, 32, 2));
    EXPECT_TRUE(is(parts[3], 1, 1, 34, 30));
}

TEST(Shares, LargeRimsAreComputedInSlices) {
    const auto parts = parts_of(share_blocks({4, 128, 64}, 2), 2);
    ASSERT_EQ(parts.size(), 18U);  // of 1024 blocks each rim has eight
    long long next = 0;
    for (std::size_t k = 0; k < 8; ++k) {
        EXPECT_EQ(parts[k].lane, 2);
        EXPECT_EQ(parts[k].share.first[1], next);
        EXPECT_EQ(parts[k].share.blocks[2], 2);
        next += parts[k].share.blocks[1];
    }
    EXPECT_EQ(next, 128);
    EXPECT_EQ(parts[8].lane, 0);
}

TEST(Shares, PartsHaveEveryBlockOnce) {
    for (long long rim = 0; rim < 4; ++rim) {
        for (int ranks = 2; ranks < 5; ++ranks) {
            std::vector<int> times(50, 0);
            for (const LanePart& part : parts_of(share_blocks({50, 1, 1}, ranks), rim)) {
                EXPECT_EQ(part.lane % ranks, part.rank);
                for (long long b = 0; b < part.share.blocks[0]; ++b)
                    ++times.at(static_cast<std::size_t>(part.share.first[0] + b));
            }
            EXPECT_EQ(times, std::vector<int>(50, 1));
        }
    }
    // Shares that are little more than their rims are one part each.
    EXPECT_EQ(parts_of(share_blocks({1, 1, 16}, 4), 2).size(), 4U);
    EXPECT_EQ(parts_of(on_first({1, 1, 64}, 4), 2).size(), 1U);
}

TEST(Shares, PagesAreCutInNearEqualParts) {
    EXPECT_EQ(cut_pages(512 * mb, 4), (std::vector<std::uint64_t>{128 * mb, 256 * mb, 384 * mb, 512 * mb}));
    EXPECT_EQ(cut_pages(74 * mb, 4), (std::vector<std::uint64_t>{18 * mb, 38 * mb, 56 * mb, 74 * mb}));
    EXPECT_EQ(cut_pages(74 * mb - 12, 1), (std::vector<std::uint64_t>{74 * mb}));
    // What has no page for each of them.
    EXPECT_EQ(cut_pages(100, 3).back(), 2 * mb);
    EXPECT_EQ(cut_pages(0, 2).back(), 2 * mb);
    // Nearly all that there is of numbers.
    EXPECT_EQ(cut_pages(UINT64_MAX / 2, 7).size(), 7U);
}

TEST(Shares, EndsOfPagesAscend) {
    for (std::uint64_t bytes : {std::uint64_t{1}, 2 * mb, 2 * mb + 1, 9 * mb, 33 * mb + 5}) {
        for (int ranks = 1; ranks <= 8; ++ranks) {
            const auto ends = cut_pages(bytes, ranks);
            EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
            EXPECT_GE(ends.back(), bytes);
            EXPECT_EQ(ends.back() % page_bytes, 0U);
        }
    }
}

TEST(Shares, SmallArraysLieOnTheFirst) {
    EXPECT_FALSE(worth_cutting(4, 2, Sharing::priced));
    EXPECT_FALSE(worth_cutting(8 * mb - 1, 2, Sharing::priced));
    EXPECT_TRUE(worth_cutting(8 * mb, 2, Sharing::priced));
    EXPECT_TRUE(worth_cutting(4, 2, Sharing::always));
    EXPECT_NE(worth_cutting(4, 2, Sharing::priced).reason().find("4 bytes"), std::string::npos);
}

kernel::Kernel storing(bool adds) {
    kernel::Kernel k;
    kernel::Assign assign{kernel::element("T", kernel::integer(0)), kernel::integer(1), adds};
    kernel::If within{kernel::integer(1), {}, {{assign}}};
    k.body = {{kernel::Threads{{{kernel::For{"i", kernel::integer(0), kernel::integer(2), 1, 0, {{within}}}}}}}};
    return k;
}

TEST(Shares, AtomicsStayOnOneDevice) {
    EXPECT_TRUE(worth_sharing(storing(false), {64, 1, 1}, 2, Sharing::priced));
    const Verdict no = worth_sharing(storing(true), {64, 1, 1}, 2, Sharing::always);
    EXPECT_FALSE(no);
    EXPECT_NE(no.reason().find("atomics"), std::string::npos);
}

TEST(Shares, FewBlocksStayOnOneDevice) {
    EXPECT_FALSE(worth_sharing(storing(false), {3, 5, 1}, 2, Sharing::priced));
    EXPECT_TRUE(worth_sharing(storing(false), {4, 4, 1}, 2, Sharing::priced));
    EXPECT_TRUE(worth_sharing(storing(false), {2, 1, 1}, 4, Sharing::always));
    EXPECT_FALSE(worth_sharing(storing(false), {1, 1, 1}, 4, Sharing::always));
    EXPECT_FALSE(worth_sharing(storing(false), {64, 1, 1}, 1, Sharing::always));
}

}  // namespace
}  // namespace kasc::ranks
