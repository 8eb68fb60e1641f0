#include "ranks/holdings.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kasc::ranks {
namespace {

const char held_places[2] = {};
const void *const held = &held_places[0], *const other = &held_places[1];

using Transfers = std::vector<Transfer>;

TEST(Holdings, WhatNobodyHasStoredIsNotSent) {
    Holdings holdings;
    EXPECT_EQ(holdings.launch({{1, {{held, false, 0, 80}}}}), Transfers{});
}

TEST(Holdings, InputsGoWhereTheyAreRead) {
    Holdings holdings;
    holdings.put(held, 0, 80, 0);
    const std::vector<Part> halves{{0, {{held, false, 0, 50}}}, {1, {{held, false, 30, 80}}}};
    EXPECT_EQ(holdings.launch(halves), (Transfers{{0, 1, held, 30, 80}}));
    EXPECT_EQ(holdings.launch(halves), Transfers{});
}

/// A stencil of reach 1 over 8 planes of 10 bytes, between two arrays.
TEST(Holdings, StepsSendThePlanesBesideTheCut) {
    Holdings holdings;
    const auto step = [&](const void* from, const void* to) {
        return holdings.launch(
            {{0, {{from, false, 0, 50}, {to, true, 0, 40}}}, {1, {{from, false, 30, 80}, {to, true, 40, 80}}}});
    };
    holdings.put(held, 0, 80, 0);
    EXPECT_EQ(step(held, other), (Transfers{{0, 1, held, 30, 80}}));
    EXPECT_EQ(step(other, held), (Transfers{{1, 0, other, 40, 50}, {0, 1, other, 30, 40}}));
    EXPECT_EQ(step(held, other), (Transfers{{1, 0, held, 40, 50}, {0, 1, held, 30, 40}}));
}

TEST(Holdings, WhatALaunchMayLeaveIsThereBefore) {
    Holdings holdings;
    holdings.put(held, 0, 80, 0);
    EXPECT_EQ(holdings.launch({{1, {{held, true, 20, 40}}}}), (Transfers{{0, 1, held, 20, 40}}));
    EXPECT_EQ(holdings.launch({{0, {{held, false, 0, 80}}}}), (Transfers{{1, 0, held, 20, 40}}));
}

TEST(Holdings, WhatAllStoreAllHold) {
    Holdings holdings;
    std::vector<Part> all, read;
    for (int r = 0; r < 3; ++r) all.push_back({r, {{held, true, 0, 8}}}), read.push_back({r, {{held, false, 0, 8}}});
    EXPECT_EQ(holdings.launch(all), Transfers{});
    EXPECT_EQ(holdings.launch(read), Transfers{});
}

TEST(Holdings, ForgottenArraysAreHeldByNobody) {
    Holdings holdings;
    holdings.put(held, 0, 8, 0);
    holdings.forget(held);
    EXPECT_EQ(holdings.launch({{1, {{held, false, 0, 8}}}}), Transfers{});
}

/// Four rows of 20 bytes, two of them of each rank, of which then each has half of all rows.
TEST(Holdings, ColumnsGoInRows) {
    Holdings holdings;
    const std::vector<Part> rows{{0, {{held, true, 0, 40}}}, {1, {{held, true, 40, 80}}}};
    std::vector<Part> columns{{0, {}}, {1, {}}};
    for (int row = 0; row < 4; ++row) {
        columns[0].touches.push_back({held, true, 20 * row, 20 * row + 10});
        columns[1].touches.push_back({held, true, 20 * row + 10, 20 * row + 20});
    }
    EXPECT_EQ(holdings.launch(rows), Transfers{});
    EXPECT_EQ(holdings.launch(columns), (Transfers{{1, 0, held, 40, 50, 2, 20}, {0, 1, held, 10, 20, 2, 20}}));
    EXPECT_EQ(holdings.launch(columns), Transfers{});
    EXPECT_EQ(holdings.launch(rows), (Transfers{{1, 0, held, 10, 20, 2, 20}, {0, 1, held, 40, 50, 2, 20}}));
}

/// Ranks with bytes of their own, which do what is drawn: what one reads is what was stored last.
TEST(Holdings, RanksReadWhatWasStoredLast) {
    std::mt19937 random(5);
    const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    for (int run = 0; run < 200; ++run) {
        const int ranks = 2 + draw(4), bytes = 1 + draw(30);
        Holdings holdings;
        std::vector<std::vector<int>> own(static_cast<std::size_t>(ranks), std::vector<int>(bytes, -1));
        std::vector<int> right(static_cast<std::size_t>(bytes), -1);
        for (int launch = 1; launch < 30; ++launch) {
            const bool alike = draw(4) == 0;
            const auto stored = std::pair{draw(bytes), draw(bytes + 1)};
            std::vector<Part> parts;
            int cut = 0;
            for (int r = 0; r < ranks; ++r) {
                const int end = r + 1 == ranks ? bytes : cut + draw(bytes - cut + 1);
                Part part{r, {{held, false, draw(bytes), draw(bytes + 1)}}};
                if (alike)
                    part.touches.push_back({held, true, stored.first, stored.second});
                else if (draw(3) > 0)
                    part.touches.push_back({held, true, cut, end});
                cut = end;
                parts.push_back(part);
            }
            const auto before = own;
            for (const Transfer& transfer : holdings.launch(parts)) {
                for (std::int64_t row = 0; row < transfer.rows; ++row) {
                    for (std::int64_t b = transfer.low; b < transfer.high; ++b) {
                        const auto at = static_cast<std::size_t>(b + row * transfer.apart);
                        own.at(static_cast<std::size_t>(transfer.to)).at(at) =
                            before.at(static_cast<std::size_t>(transfer.from)).at(at);
                    }
                }
            }
            for (const Part& part : parts) {
                for (const Touch& touch : part.touches) {
                    for (std::int64_t b = touch.low; b < touch.high; ++b)
                        ASSERT_EQ(own[static_cast<std::size_t>(part.lane)][static_cast<std::size_t>(b)],
                                  right[static_cast<std::size_t>(b)]);
                }
            }
            for (const Part& part : parts) {
                for (const Touch& touch : part.touches) {
                    if (!touch.writes) continue;
                    for (std::int64_t b = touch.low; b < touch.high; ++b) {
                        own[static_cast<std::size_t>(part.lane)][static_cast<std::size_t>(b)] = launch;
                        right[static_cast<std::size_t>(b)] = launch;
                    }
                }
            }
        }
    }
}

TEST(HoldingsTest, FurtherHoldersAreCounted) {
    Holdings holdings;
    int T = 0, u = 0;
    holdings.add(&T, 0, 10, 0);
    holdings.add(&T, 8, 14, 1);
    holdings.add(&T, 20, 22, 1);
    holdings.add(&T, 5, 21, 2);
    holdings.add(&T, 5, 9, 2);
    holdings.add(&u, 0, 4, 2);
    EXPECT_EQ(holdings.bytes_of(0), 10);
    EXPECT_EQ(holdings.bytes_of(1), 8);
    EXPECT_EQ(holdings.bytes_of(2), 20);
    // Whoever stores it is the only one.
    static_cast<void>(holdings.launch({{1, {{&T, true, 0, 22}}}}));
    EXPECT_EQ(holdings.bytes_of(0), 0);
    EXPECT_EQ(holdings.bytes_of(1), 22);
    EXPECT_EQ(holdings.bytes_of(2), 4);
}

}  // namespace
}  // namespace kasc::ranks
