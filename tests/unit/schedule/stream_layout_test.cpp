#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/schedule/stream_made.hpp"

namespace kasc::test {
namespace {

/// Regions in shared memory that live from step to step.
struct Alive {
    block::BlockProgram block;
    std::vector<block::Lifetime> lives;

    void add(int words, int first, int last) {
        block.regions.push_back({"v" + std::to_string(lives.size()), Residence::shared, words});
        lives.push_back({first, last});
    }
    int lay_out() {
        lay_out_shared(block.regions, lives);
        return shared_words(block);
    }
    [[nodiscard]] int place(std::size_t k) const { return *block.regions[k].place; }
    [[nodiscard]] int words(std::size_t k) const { return block.regions[k].words; }
    [[nodiscard]] bool overlap(std::size_t a, std::size_t b) const {
        const bool together = lives[a].first <= lives[b].last && lives[b].first <= lives[a].last;
        return together && place(a) < place(b) + words(b) && place(b) < place(a) + words(a);
    }
};

/// The least words over all assignments of places that are multiples of 4, found by trying them.
int least_words(Alive& alive, std::size_t k, int limit) {
    const std::size_t count = alive.lives.size();
    if (k == count) return shared_words(alive.block);
    int best = limit;
    for (int place = 0; place + alive.words(k) <= best; place += 4) {
        alive.block.regions[k].place = place;
        bool free = true;
        for (std::size_t other = 0; other < k; ++other) free = free && !alive.overlap(k, other);
        if (free) best = std::min(best, least_words(alive, k + 1, best));
    }
    return best;
}

TEST(StreamLayout, ValuesThatNeverLiveTogetherShareSpace) {
    Alive alive;
    alive.add(96, 0, 2);
    alive.add(96, 1, 2);
    alive.add(96, 2, 4);
    alive.add(32, 4, 5);
    EXPECT_EQ(alive.lay_out(), 288);
    EXPECT_LT(alive.place(3), 192);
}

TEST(StreamLayout, RegistersTakeNone) {
    Alive alive;
    alive.add(40, 0, 1);
    alive.block.regions[0].where = Residence::registers;
    EXPECT_EQ(alive.lay_out(), 0);
    EXPECT_FALSE(alive.block.regions[0].place);
}

TEST(StreamLayout, NeverOverlapsAndIsLeastOnSmallRandomCases) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        Alive alive;
        const std::size_t count = 2 + random() % 4;
        for (std::uint32_t v = 0; v < count; ++v) {
            const int first = static_cast<int>(random() % 6);
            const int words = 1 + static_cast<int>(random() % 20);
            alive.add(words, first, first + static_cast<int>(random() % 4));
        }
        const int words = alive.lay_out();
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(alive.place(i) % 4, 0);
            EXPECT_LE(alive.place(i) + alive.words(i), words);
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(alive.overlap(i, j));
        }
        EXPECT_EQ(words, least_words(alive, 0, 1000)) << "round " << round;
    }
}

TEST(StreamLayout, NeverOverlapsWhereValuesAreMany) {
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        Alive alive;
        for (std::uint32_t v = 0; v < 20; ++v) {
            const int first = static_cast<int>(random() % 20);
            const int words = 1 + static_cast<int>(random() % 500);
            alive.add(words, first, first + static_cast<int>(random() % 6));
        }
        const int words = alive.lay_out();
        for (std::size_t i = 0; i < alive.lives.size(); ++i) {
            EXPECT_LE(alive.place(i) + alive.words(i), words);
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(alive.overlap(i, j));
        }
    }
}

}  // namespace
}  // namespace kasc::test
