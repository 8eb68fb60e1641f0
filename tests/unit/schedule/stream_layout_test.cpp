#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/schedule/stream_made.hpp"

namespace kasc::test {
namespace {

Placement shared(std::uint32_t value, int words, int first, int last) {
    return {ValueId{value}, Residence::shared, "", words, 0, first, last, {}};
}

bool overlap(const Placement& a, const Placement& b) {
    const bool together = a.first_step <= b.last_step && b.first_step <= a.last_step;
    return together && a.offset < b.offset + b.words && b.offset < a.offset + a.words;
}

/// The least words over all assignments of offsets that are multiples of 4, found by trying them.
int least_words(std::vector<Placement>& placements, std::size_t k, int limit) {
    if (k == placements.size()) {
        int end = 0;
        for (const Placement& p : placements) end = std::max(end, p.offset + (p.words + 3) / 4 * 4);
        return end;
    }
    int best = limit;
    for (int offset = 0; offset + placements[k].words <= best; offset += 4) {
        placements[k].offset = offset;
        const bool free = std::none_of(placements.begin(), placements.begin() + static_cast<std::ptrdiff_t>(k),
                                       [&](const Placement& other) { return overlap(placements[k], other); });
        if (free) best = std::min(best, least_words(placements, k + 1, best));
    }
    return best;
}

TEST(StreamLayout, ValuesThatNeverLiveTogetherShareSpace) {
    std::vector<Placement> placements{shared(0, 96, 0, 2), shared(1, 96, 1, 2), shared(2, 96, 2, 4),
                                      shared(3, 32, 4, 5)};
    EXPECT_EQ(lay_out_shared(placements), 288);
    EXPECT_LT(placements[3].offset, 192);
}

TEST(StreamLayout, RegistersTakeNone) {
    std::vector<Placement> placements{shared(0, 40, 0, 1)};
    placements[0].where = Residence::registers;
    EXPECT_EQ(lay_out_shared(placements), 0);
}

TEST(StreamLayout, NeverOverlapsAndIsLeastOnSmallRandomCases) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<Placement> placements;
        const std::size_t count = 2 + random() % 4;
        for (std::uint32_t v = 0; v < count; ++v) {
            const int first = static_cast<int>(random() % 6);
            placements.push_back(
                shared(v, 1 + static_cast<int>(random() % 20), first, first + static_cast<int>(random() % 4)));
        }
        const int words = lay_out_shared(placements);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(placements[i].offset % 4, 0);
            EXPECT_LE(placements[i].offset + placements[i].words, words);
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(placements[i], placements[j]));
        }
        std::vector<Placement> copy = placements;
        EXPECT_EQ(words, least_words(copy, 0, 1000)) << "round " << round;
    }
}

TEST(StreamLayout, NeverOverlapsWhereValuesAreMany) {
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        std::vector<Placement> placements;
        for (std::uint32_t v = 0; v < 20; ++v) {
            const int first = static_cast<int>(random() % 20);
            placements.push_back(
                shared(v, 1 + static_cast<int>(random() % 500), first, first + static_cast<int>(random() % 6)));
        }
        const int words = lay_out_shared(placements);
        for (std::size_t i = 0; i < placements.size(); ++i) {
            EXPECT_LE(placements[i].offset + placements[i].words, words);
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(placements[i], placements[j]));
        }
    }
}

}  // namespace
}  // namespace kasc::test
