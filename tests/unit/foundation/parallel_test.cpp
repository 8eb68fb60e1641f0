#include "foundation/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

namespace kasc {
namespace {

class Parallel : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override { setenv("OMP_NUM_THREADS", GetParam(), 1); }
    void TearDown() override { unsetenv("OMP_NUM_THREADS"); }
};

TEST_P(Parallel, EveryPieceIsDoneOnce) {
    for (const std::size_t pieces : {0U, 1U, 3U, 1000U}) {
        std::vector<std::atomic<int>> done(pieces);
        parallel_for(pieces, [&](std::size_t i) { ++done[i]; });
        for (const auto& times : done) EXPECT_EQ(times, 1);
    }
}

TEST_P(Parallel, WhatAPieceThrowsComesOut) {
    std::atomic<int> begun = 0;
    EXPECT_THROW(parallel_for(100000,
                              [&](std::size_t i) {
                                  ++begun;
                                  if (i == 5) throw std::runtime_error("five");
                              }),
                 std::runtime_error);
    EXPECT_LT(begun, 100000);
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values("1", "4"));

TEST(ThreadCount, IsWhatIsAskedForWithinReason) {
    setenv("OMP_NUM_THREADS", "3,2", 1);
    EXPECT_EQ(thread_count(), 3U);
    setenv("OMP_NUM_THREADS", "1000000", 1);
    EXPECT_EQ(thread_count(), 64U);
    for (const char* nothing : {"", "0", "-2", "many"}) {
        setenv("OMP_NUM_THREADS", nothing, 1);
        EXPECT_GE(thread_count(), 1U);
        EXPECT_LE(thread_count(), static_cast<std::size_t>(usable_cores()));
    }
    unsetenv("OMP_NUM_THREADS");
}

TEST(ThreadCount, SoManyThreadsWork) {
    setenv("OMP_NUM_THREADS", "4", 1);
    std::atomic<int> waiting = 0;
    // Each of four pieces waits until all have begun: with fewer threads it would never end.
    parallel_for(4, [&](std::size_t) {
        ++waiting;
        while (waiting < 4) std::this_thread::yield();
    });
    EXPECT_EQ(waiting, 4);
    unsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace kasc
