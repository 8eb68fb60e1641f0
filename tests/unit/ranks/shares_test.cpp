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

TEST(Shares, EndsThatAreJoinedAreCuts) {
    const auto parts = parts_of(share_blocks({4, 1, 64}, 2), 2, Ends::joined);
    ASSERT_EQ(parts.size(), 6U);
    EXPECT_EQ(parts[0].share.first[2], 0);
    EXPECT_EQ(parts[1].share.first[2], 30);
    EXPECT_EQ(parts[2].share.first[2], 2);
    EXPECT_EQ(parts[2].share.blocks[2], 28);
    EXPECT_EQ(parts_of(share_blocks({4, 1, 64}, 1), 2, Ends::joined).size(), 1U) << "nobody else has the other end";
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
    EXPECT_FALSE(worth_cutting(4, 2, Sharing::priced, Memory::one));
    EXPECT_FALSE(worth_cutting(8 * mb - 1, 2, Sharing::priced, Memory::one));
    EXPECT_TRUE(worth_cutting(8 * mb, 2, Sharing::priced, Memory::one));
    EXPECT_TRUE(worth_cutting(4, 2, Sharing::always, Memory::one));
    EXPECT_NE(worth_cutting(4, 2, Sharing::priced, Memory::one).reason().find("4 bytes"), std::string::npos);
}

kernel::Kernel storing(bool adds) {
    kernel::Kernel k;
    kernel::Assign assign{kernel::element("T", kernel::integer(0)), kernel::integer(1), adds};
    kernel::If within{kernel::integer(1), {}, {{assign}}};
    k.body = {{kernel::Threads{{{kernel::For{"i", kernel::integer(0), kernel::integer(2), 1, 0, {{within}}}}}}}};
    return k;
}

TEST(Shares, AtomicsStayOnOneDevice) {
    EXPECT_TRUE(worth_sharing(storing(false), {64, 1, 1}, 2, Sharing::priced, Memory::one));
    const Verdict no = worth_sharing(storing(true), {64, 1, 1}, 2, Sharing::always, Memory::one);
    EXPECT_FALSE(no);
    EXPECT_NE(no.reason().find("atomics"), std::string::npos);
}

TEST(Shares, FewBlocksStayOnOneDevice) {
    EXPECT_FALSE(worth_sharing(storing(false), {3, 5, 1}, 2, Sharing::priced, Memory::one));
    EXPECT_TRUE(worth_sharing(storing(false), {4, 4, 1}, 2, Sharing::priced, Memory::one));
    EXPECT_TRUE(worth_sharing(storing(false), {2, 1, 1}, 4, Sharing::always, Memory::one));
    EXPECT_FALSE(worth_sharing(storing(false), {1, 1, 1}, 4, Sharing::always, Memory::one));
    EXPECT_FALSE(worth_sharing(storing(false), {64, 1, 1}, 1, Sharing::always, Memory::one));
}

/// Tiles of so many cells.
SpanNumbers tiles(long long cells, long long extent) { return {2, cells, 1, extent, 1, false}; }

TEST(Shares, BlocksAreOfTheProcessWhoseCellsTheyBeginIn) {
    // 10 planes are cut behind 5: the tile of planes 4 … 7 begins before that.
    const LaunchShares shares = share_cells({4, 1, 3}, tiles(4, 10), 2);
    EXPECT_EQ(shares.of_rank[0].blocks, (Grid{4, 1, 2}));
    EXPECT_EQ(shares.of_rank[1].first[2], 2);
    EXPECT_EQ(shares.of_rank[1].blocks, (Grid{4, 1, 1}));
    // More processes than planes.
    long long blocks = 0;
    for (const GridShare& share : share_cells({1, 1, 2}, tiles(1, 2), 5).of_rank) blocks += share.blocks[2];
    EXPECT_EQ(blocks, 2);
}

TEST(Shares, BlocksOfOnePlaneStayTogether) {
    const SpanNumbers twelve_a_plane{0, 1, 12, 7, 0, false};
    for (const GridShare& share : share_cells({84, 1, 1}, twelve_a_plane, 3).of_rank) {
        EXPECT_EQ(share.first[0] % 12, 0);
        EXPECT_EQ(share.blocks[0] % 12, 0);
    }
}

TEST(Shares, NumberedBlocksHaveAllCellsOnce) {
    // 50 planes of 70 cells, 4096 to a block: one block has 58 planes' worth, so there is but one; 512 make seven.
    const SpanNumbers span{0, 512, 70, 50, 0, true};
    long long next = 0;
    for (const GridShare& share : share_cells({7, 1, 1}, span, 4).of_rank) {
        EXPECT_EQ(share.first[0], next);
        next += share.blocks[0];
    }
    EXPECT_EQ(next, 7);
    EXPECT_EQ(cells_of(span, 0, 1).high, 8);  // 512 / 70
    EXPECT_EQ(cells_of(span, 6, 1).low, 43);
    EXPECT_EQ(cells_of(span, 6, 1).high, 50);
}

TEST(Shares, OfProcessesEachStoresItsOwnCells) {
    kernel::Kernel k = storing(false);
    k.parameters.push_back({kernel::Type::f32, "T", kernel::ArrayOut{ValueId{0}}});
    const auto shared = [&] { return worth_sharing(k, {1, 1, 8}, 2, Sharing::always, Memory::own); };
    EXPECT_NE(shared().reason().find("in no order"), std::string::npos);
    k.span.emplace();
    k.span->along = 2;
    EXPECT_NE(shared().reason().find("any word of T"), std::string::npos);
    k.span->near = {ValueId{0}};
    EXPECT_TRUE(shared());
    EXPECT_FALSE(worth_sharing(k, {8, 1, 1}, 2, Sharing::always, Memory::own));
}

}  // namespace
}  // namespace kasc::ranks
