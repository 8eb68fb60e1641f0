#include <gtest/gtest.h>

#include <limits>

#include "model/parts.hpp"

namespace kasc::model {
namespace {

AddressSet strided(int threads, int stride, std::vector<std::int32_t> offsets = {0}) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t * stride);
    set.offsets = std::move(offsets);
    return set;
}

TEST(SharedPasses, AreTheBusiestBanksDistinctWords) {
    EXPECT_EQ(shared_passes(strided(32, 1), 32), 1);
    EXPECT_EQ(shared_passes(strided(32, 2), 32), 2);
    EXPECT_EQ(shared_passes(strided(32, 32), 32), 32);
    EXPECT_EQ(shared_passes(strided(32, 9), 32), 1) << "odd strides meet every bank once";
    EXPECT_EQ(shared_passes(strided(32, 0), 32), 1) << "one word is broadcast";
}

TEST(SharedPasses, CountEveryOffsetAndWarp) {
    EXPECT_EQ(shared_passes(strided(96, 9, {0, 1, 2}), 96), 9);
    EXPECT_EQ(shared_passes(strided(40, 1), 40), 2) << "a part of a warp takes a pass";
    EXPECT_EQ(shared_passes(AddressSet{}, 0), 0);
}

TEST(SharedPasses, TakeFourWordsAtATimeWhereTheyAreAligned) {
    const std::vector<std::int32_t> four{0, 1, 2, 3};
    EXPECT_EQ(shared_passes(strided(32, 4, four), 32), 4) << "512 bytes in passes of 128";
    EXPECT_EQ(shared_passes(strided(32, 36, four), 32), 4) << "nine fours from thread to thread: odd";
    EXPECT_EQ(shared_passes(strided(32, 8, four), 32), 8) << "every other four: two passes a quarter";
    EXPECT_EQ(shared_passes(strided(32, 4, {0, 1, 2, 3, 4, 5, 6, 7}), 32), 8);
    EXPECT_EQ(shared_passes(strided(32, 4, {0, 1, 2}), 32), 12) << "three words are three accesses";
    EXPECT_EQ(shared_passes(strided(32, 5, four), 32), 4) << "not aligned: four accesses, odd strides";
    EXPECT_EQ(shared_passes(strided(32, 4, {1, 2, 3, 4}), 32), 16) << "not aligned: four accesses of four passes";
}

TEST(LinePasses, AreDistinctLines) {
    EXPECT_EQ(line_passes(strided(32, 1), 32), 1);
    EXPECT_EQ(line_passes(strided(32, 9), 32), 9);
    EXPECT_EQ(line_passes(strided(32, 25), 32), 25);
}

Demand full_demand() {
    Demand d;
    d.blocks = 1e5;
    d.threads = 256;
    d.registers = 32;
    d.global_bytes = 1e9;
    d.in_flight_bytes = 1 << 20;
    return d;
}

TEST(ResidentBlocks, AreBoundByThreadsRegistersSharedMemoryAndBlocks) {
    const Device device{};
    Demand d = full_demand();
    EXPECT_EQ(resident_blocks(d, device), 8);
    d.registers = 64;
    EXPECT_EQ(resident_blocks(d, device), 4);
    d.registers = 65;
    EXPECT_EQ(resident_blocks(d, device), 3) << "registers are rounded up to eight";
    d = full_demand();
    d.shared_bytes_per_block = 45 * 1024;
    EXPECT_EQ(resident_blocks(d, device), 4);
    d.shared_bytes_per_block = 49 * 1024;
    EXPECT_EQ(resident_blocks(d, device), 0);
    d = full_demand();
    d.threads = 32;
    EXPECT_EQ(resident_blocks(d, device), 32);
}

TEST(Predict, EnoughBytesUnderWayReachTheCopyRate) {
    Device device{};
    device.multiprocessors = 132;
    device.copy_gb_s = 3030;
    device.l2_gb_s = 5500;
    device.clock_ghz = 1.755;
    const Demand d = full_demand();
    EXPECT_NEAR(predict(d, device).global_ns, 1e9 / 3030, 0.01 * 1e9 / 3030);
    Demand few = d;
    few.in_flight_bytes = 100;
    EXPECT_GT(predict(few, device).global_ns, 5 * predict(d, device).global_ns);
}

TEST(Predict, MoreOfAnythingNeverTakesLess) {
    const Device device{};
    const Demand d = full_demand();
    const double time = predict(d, device).time_ns;
    for (double Demand::*part : {&Demand::global_bytes, &Demand::extra_bytes, &Demand::shared_lines,
                                 &Demand::instructions, &Demand::block_latency_ns, &Demand::l2_bytes}) {
        Demand more = d;
        more.*part = d.*part + 1e12;
        EXPECT_GT(predict(more, device).time_ns, time);
    }
    Demand slower = d;
    slower.access_efficiency = 0.5;
    EXPECT_GT(predict(slower, device).time_ns, time);
}

TEST(Predict, TimeIsLaunchAndAboutTheLargestPart) {
    const auto largest = [](const Prediction& p) {
        return std::max({p.global_ns, p.shared_ns, p.arithmetic_ns, p.latency_ns, p.dispatch_ns});
    };
    const Prediction p = predict(full_demand(), Device{});
    EXPECT_GE(p.time_ns, p.launch_ns + largest(p));
    EXPECT_LT(p.time_ns, p.launch_ns + 1.5 * largest(p)) << "four parts of one size: 4^(1/4)";
    Demand d = full_demand();
    d.instructions = 1e15;
    const Prediction bound = predict(d, Device{});
    EXPECT_NEAR(bound.time_ns, bound.launch_ns + bound.arithmetic_ns, 0.01 * bound.time_ns) << "one stands out";
}

TEST(Predict, SmallBlocksAreBoundByTheirDispatch) {
    Demand d = full_demand();
    d.blocks = 1e7;
    d.threads = 32;
    Device device;
    device.block_dispatch_ns = 0.6;
    EXPECT_DOUBLE_EQ(predict(d, device).dispatch_ns, 6e6);
    EXPECT_GT(predict(d, device).time_ns, 6e6);
}

TEST(Predict, WhatDoesNotFitTakesForever) {
    Demand d = full_demand();
    d.threads = 2048;
    EXPECT_EQ(predict(d, Device{}).time_ns, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace kasc::model
