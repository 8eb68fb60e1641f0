#include "ranks/passes.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kasc::ranks {
namespace {

TEST(Passes, TheFastestAxisIsFirstAndWhereItBecomesRealLast) {
    const TransformAxes forward{{10, 6, 8}, 1, 1, true, false, 10, true};
    EXPECT_EQ(passes_of(forward), (std::vector<Pass>{{2, Side::from, Side::to, 60, 1, 8, 5, false},
                                                     {1, Side::to, Side::to, 10, 5, 6, 6, false},
                                                     {0, Side::to, Side::to, 1, 30, 10, 10, true}}));
    const TransformAxes backward{{10, 6, 8}, 1, 1, false, true, 10, true};
    EXPECT_EQ(passes_of(backward), (std::vector<Pass>{{1, Side::from, Side::from, 10, 5, 6, 6, false},
                                                      {0, Side::from, Side::from, 1, 30, 10, 10, true},
                                                      {2, Side::from, Side::to, 60, 1, 5, 8, false}}));
}

TEST(Passes, LinesAlongTheCutAreSharedOutByColumnsOthersByPlanes) {
    const Pass along{0, Side::to, Side::to, 1, 100, 10, 10, true};
    EXPECT_EQ(share_pass(along, 10, 3), (std::vector<PassShare>{{0, 1, 0, 32}, {0, 1, 32, 64}, {0, 1, 64, 100}}));
    const Pass within{2, Side::from, Side::to, 60, 1, 8, 5, false};
    EXPECT_EQ(share_pass(within, 10, 3), (std::vector<PassShare>{{0, 18, 0, 1}, {18, 36, 0, 1}, {36, 60, 0, 1}}));
}

TEST(Passes, ColumnsAreRowsOfBytes) {
    const Pass along{0, Side::to, Side::to, 1, 100, 3, 3, true};
    EXPECT_EQ(bytes_of({0, 1, 32, 64}, along, 3, 8), (std::vector<ByteRange>{{256, 512}, {1056, 1312}, {1856, 2112}}));
    EXPECT_EQ(bytes_of({0, 1, 0, 100}, along, 3, 8), (std::vector<ByteRange>{{0, 2400}}));
    EXPECT_TRUE(bytes_of({0, 1, 100, 100}, along, 3, 8).empty());
}

TEST(Passes, SomeTransformsAreNotShared) {
    EXPECT_TRUE(can_share({{10, 40}, 1, 1, false, false, 10, true}));
    EXPECT_TRUE(can_share({{40}, 1, 10, true, false, 10, false}));
    const Verdict line = can_share({{4096}, 1, 1, false, false, 4096, true});
    EXPECT_FALSE(line);
    EXPECT_EQ(line.reason(), "its lines lie along the outermost axis, 1 beside each other");
    EXPECT_EQ(can_share({{40, 50}, 1, 1, true, false, 1, false}).reason(), "it has one plane along the outermost axis");
}

/// Whatever the sizes: each word of what a pass stores is one rank's.
TEST(Passes, EveryWordIsStoredOnce) {
    std::mt19937 random(3);
    const auto draw = [&](int most) { return 1 + static_cast<long long>(random() % static_cast<unsigned>(most)); };
    for (int run = 0; run < 60; ++run) {
        const bool along = draw(2) == 1, real = draw(2) == 1, backward = real && draw(2) == 1;
        TransformAxes transform{{draw(9), draw(9)}, draw(50), 1, real && !backward, backward, 1, along};
        if (draw(2) == 1) transform.lengths.push_back(draw(9));
        transform.planes = along ? transform.lengths.front() : draw(5);
        if (!along) transform.outer = transform.planes * draw(3);
        const int ranks = static_cast<int>(draw(8));
        for (const Pass& pass : passes_of(transform)) {
            const long long words = pass.outer * pass.rows_stored * pass.inner;
            std::vector<int> stored(static_cast<std::size_t>(words), 0);
            const auto shares = share_pass(pass, transform.planes, ranks);
            ASSERT_EQ(shares.size(), static_cast<std::size_t>(ranks));
            for (const PassShare& share : shares) {
                for (const ByteRange& range : bytes_of(share, pass, pass.rows_stored, 1))
                    for (auto b = range.low; b < range.high; ++b) ++stored.at(static_cast<std::size_t>(b));
            }
            EXPECT_EQ(stored, std::vector<int>(stored.size(), 1));
        }
    }
}

}  // namespace
}  // namespace kasc::ranks
