#include "ranks/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kasc::ranks {
namespace {

const char places[3] = {};
const void *const t = &places[0], *const t2 = &places[1], *const apart = &places[2];

/// All of these lanes do the same.
std::vector<Part> parts(const std::vector<Touch>& touches, const std::vector<int>& on) {
    std::vector<Part> all;
    for (const int lane : on) all.push_back({lane, touches});
    return all;
}

bool has(const std::vector<Wait>& waits, int lane, int marked) {
    return std::find(waits.begin(), waits.end(), Wait{lane, marked}) != waits.end();
}

TEST(Order, OneRankWaitsForNobody) {
    Order order(1);
    for (int n = 0; n < 3; ++n) EXPECT_TRUE(order.launch(parts({{t, false}, {t2, true}}, {0})).empty());
}

TEST(Order, WhatIsReadWasWritten) {
    Order order(2);
    EXPECT_TRUE(order.launch(parts({{t, true}}, {0, 1})).empty());
    const auto waits = order.launch(parts({{t, false}, {t2, true}}, {0, 1}));
    EXPECT_EQ(waits.size(), 2U);
    EXPECT_TRUE(has(waits, 0, 1) && has(waits, 1, 0));
    EXPECT_TRUE(order.launch(parts({{t, false}}, {0})).empty()) << "rank 0 follows that already";
}

TEST(Order, WhatIsWrittenIsReadByNobodyAnyMore) {
    Order order(2);
    EXPECT_TRUE(order.launch(parts({{t, false}}, {0, 1})).empty());
    EXPECT_TRUE(order.launch(parts({{t, false}}, {0, 1})).empty()) << "readers are in no order";
    EXPECT_EQ(order.launch(parts({{t, true}}, {1})), (std::vector<Wait>{{1, 0}}));
}

TEST(Order, ArraysApartAreInNoOrder) {
    Order order(3);
    EXPECT_TRUE(order.launch(parts({{t, true}}, {0})).empty());
    EXPECT_TRUE(order.launch(parts({{apart, true}}, {1, 2})).empty());
}

TEST(Order, PlacesApartAreInNoOrder) {
    Order order(2);
    EXPECT_TRUE(order.launch({{0, {{t, true, 0, 8}}}, {1, {{t, true, 8, 16}}}}).empty());
    EXPECT_TRUE(order.launch({{0, {{t, false, 0, 8}}}}).empty());
    EXPECT_EQ(order.launch({{0, {{t, false, 0, 9}}}}), (std::vector<Wait>{{0, 1}}));
    EXPECT_EQ(order.launch({{1, {{t, true, 8, 16}}}}), (std::vector<Wait>{{1, 0}})) << "place 8 is read";
    EXPECT_TRUE(order.launch({{0, {{t, true, 0, 8}}}}).empty());
    EXPECT_EQ(order.launch({{0, {{t, false}}}}), (std::vector<Wait>{{0, 1}})) << "all of it";
}

/// Two ranks with a lane each for their rims, as a stencil in a loop has them.
TEST(Order, TheInsideWaitsForNoOtherRank) {
    Order order(4);
    const void *from = t, *to = t2;
    const auto part = [&](int lane, std::int64_t low, std::int64_t high) {
        return Part{lane, {{from, false, low - 2, high + 2}, {to, true, low, high}}};
    };
    for (int n = 0; n < 5; ++n) {
        const auto waits = order.launch({part(2, 28, 32), part(0, 0, 28), part(3, 32, 36), part(1, 36, 64)});
        for (const auto& [lane, marked] : waits) {
            if (lane < 2) {
                EXPECT_EQ(marked, lane + 2) << "its own rank's rim alone";
            }
            EXPECT_NE(marked, lane == 2 ? 1 : lane == 3 ? 0 : -1) << "no inside of the other";
        }
        EXPECT_EQ(waits.empty(), n == 0);
        std::swap(from, to);
    }
}

TEST(Order, WhoWaitsFollowsWhatTheOtherFollows) {
    Order order(3);
    EXPECT_TRUE(order.launch(parts({{t, true}}, {0})).empty());
    EXPECT_EQ(order.launch(parts({{t, false}, {t2, true}}, {1})), (std::vector<Wait>{{1, 0}}));
    EXPECT_EQ(order.launch(parts({{t2, false}}, {2})), (std::vector<Wait>{{2, 1}}));
    EXPECT_TRUE(order.launch(parts({{t, false}}, {2})).empty()) << "rank 1 had waited for rank 0";
}

/// Draws launches, does what ranks are asked for in an order that marks and waits allow, and looks whether every launch
/// sees what it would see if all were done as they are asked for.
TEST(Order, AnyOrderThatItAllowsGivesTheSame) {
    std::mt19937 random(5);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = 2 + below(3), arrays = 2 + below(3);
        std::vector<char> at(static_cast<std::size_t>(arrays));
        Order order(ranks);
        struct Done {
            int launch = -1;                    ///< else it is a mark or a wait
            int marked = -1, marks_before = 0;  ///< of a wait
            bool mark = false;
        };
        std::vector<std::vector<Done>> queues(static_cast<std::size_t>(ranks));
        std::vector<int> marks(static_cast<std::size_t>(ranks), 0);
        std::vector<std::vector<Touch>> launches;
        for (int n = 0; n < 12; ++n) {
            std::vector<Touch> touches;
            for (int a = 0; a < arrays; ++a) {
                if (below(2) == 0) touches.push_back({&at[static_cast<std::size_t>(a)], below(2) == 0});
            }
            std::vector<int> on;
            for (int r = 0; r < ranks; ++r) {
                if (below(3) > 0) on.push_back(r);
            }
            if (on.empty()) on.push_back(0);
            const auto waits = order.launch(parts(touches, on));
            for (int r = 0; r < ranks; ++r) {
                if (std::none_of(waits.begin(), waits.end(), [&](const Wait& w) { return w.marked == r; })) continue;
                queues[static_cast<std::size_t>(r)].push_back({-1, -1, 0, true});
                ++marks[static_cast<std::size_t>(r)];
            }
            for (const Wait& w : waits)
                queues[static_cast<std::size_t>(w.lane)].push_back(
                    {-1, w.marked, marks[static_cast<std::size_t>(w.marked)], false});
            for (const int r : on) queues[static_cast<std::size_t>(r)].push_back({n, -1, 0, false});
            launches.push_back(touches);
        }
        // By launch how many ranks have it to do; by array who is to come before whom.
        std::vector<int> left(launches.size(), 0);
        for (const auto& queue : queues) {
            for (const Done& d : queue) {
                if (d.launch >= 0) ++left[static_cast<std::size_t>(d.launch)];
            }
        }
        std::vector<int> marks_done(static_cast<std::size_t>(ranks), 0);
        for (bool some = true; some;) {
            std::vector<std::size_t> able;
            for (std::size_t r = 0; r < queues.size(); ++r) {
                if (queues[r].empty()) continue;
                const Done& d = queues[r].front();
                if (d.marked < 0 || marks_done[static_cast<std::size_t>(d.marked)] >= d.marks_before) able.push_back(r);
            }
            some = !able.empty();
            if (!some) break;
            const std::size_t r = able[static_cast<std::size_t>(below(static_cast<int>(able.size())))];
            const Done d = queues[r].front();
            queues[r].erase(queues[r].begin());
            if (d.mark) ++marks_done[r];
            if (d.launch < 0) continue;
            for (int before = 0; before < d.launch; ++before) {
                const bool meet = std::any_of(
                    launches[static_cast<std::size_t>(before)].begin(),
                    launches[static_cast<std::size_t>(before)].end(), [&](const Touch& a) {
                        return std::any_of(launches[static_cast<std::size_t>(d.launch)].begin(),
                                           launches[static_cast<std::size_t>(d.launch)].end(), [&](const Touch& b) {
                                               return a.array == b.array && (a.writes || b.writes);
                                           });
                    });
                ASSERT_TRUE(!meet || left[static_cast<std::size_t>(before)] == 0)
                    << "launch " << d.launch << " came before the end of launch " << before;
            }
            --left[static_cast<std::size_t>(d.launch)];
        }
        for (const auto& queue : queues) EXPECT_TRUE(queue.empty()) << "ranks wait for each other";
    }
}

}  // namespace
}  // namespace kasc::ranks
