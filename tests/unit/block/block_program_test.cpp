// Barriers of block programs: of rings, whose copies take turns, and what is counted of them.
#include "block/block_program.hpp"

#include <gtest/gtest.h>

namespace kasc::block {
namespace {

std::shared_ptr<const AddressSet> neighbours(int threads) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t);
    set.offsets = {0, 1, 2};
    return std::make_shared<const AddressSet>(std::move(set));
}

/// A plane is filled by whichever thread and read around its cells, plane after plane.
BlockProgram walk(int copies, int planes, int read_copy = 0) {
    BlockProgram made;
    made.regions = {{"T_tile", Residence::shared, 10, copies, 4}, {"queue", Residence::registers, 4}};
    made.steps = {{StepKind::loop_begin, "", "", "", {}, true, planes},
                  {StepKind::copy, "fill", "the fill", "filled", {{0, 0, true, nullptr, {}, 10}}},
                  {StepKind::compute, "cells", "each cell", "computed", {{0, read_copy, false, neighbours(8)}}},
                  {StepKind::loop_end}};
    return with_barriers(std::move(made));
}

TEST(BlockProgram, OneCopyNeedsABarrierBeforeItIsFilledAgain) {
    const BlockProgram block = walk(1, 5);
    ASSERT_NE(barrier_before(block, 2), nullptr);
    EXPECT_EQ(barrier_before(block, 2)->waits, "each cell reads T_tile, which other threads filled");
    ASSERT_NE(barrier_before(block, 1), nullptr);
    EXPECT_EQ(barrier_before(block, 1)->waits, "the fill writes T_tile, which other threads may still read");
    EXPECT_EQ(barriers_met(block), 10);
}

TEST(BlockProgram, OfTwoCopiesOneIsFilledWhileTheOtherIsRead) {
    const BlockProgram block = walk(2, 5);
    EXPECT_EQ(barrier_before(block, 1), nullptr);
    ASSERT_NE(barrier_before(block, 2), nullptr);
    EXPECT_NE(barrier_before(block, 2)->reason.find("in step 1 (fill)"), std::string::npos);
    EXPECT_EQ(barriers_met(block), 5);
    EXPECT_EQ(block.barriers.size(), 2U) << "one decision a step, whichever copy";
}

TEST(BlockProgram, ACopyThatIsReadAnIterationLaterWaitsToo) {
    // The block reads the one of three copies that was filled before: the barrier of the iteration before has passed,
    // but for it.
    const BlockProgram block = walk(3, 4, 2);
    EXPECT_EQ(barriers_met(block), 4);
}

/// Planes that whichever threads fill and look at.
BlockProgram of_copies(int words, int copies) {
    BlockProgram made;
    made.regions = {{"T_ring", Residence::shared, words, copies, 4}};
    made.steps = {{StepKind::loop_begin, "", "", "", {}, false, 7},
                  {StepKind::copy, "fill", "the fill", "filled", {{0, 0, true, nullptr, {}, words}}},
                  {StepKind::compute, "cells", "each cell", "computed", {{0, copies - 1, false, nullptr, {}, words}}},
                  {StepKind::loop_end}};
    return made;
}

TEST(BlockProgram, SizesDecideNoBarrierWhereWhicheverThreadsTakeWhichWords) {
    for (const int copies : {1, 2, 3}) {
        const BlockProgram small = of_copies(10, copies), large = of_copies(700, copies);
        EXPECT_TRUE(differ_in_sizes(small, large));
        const std::vector<BarrierDecision> one = with_barriers(small).barriers, other = with_barriers(large).barriers;
        ASSERT_EQ(one.size(), other.size());
        for (std::size_t k = 0; k < one.size(); ++k) {
            EXPECT_EQ(one[k].before, other[k].before);
            EXPECT_EQ(one[k].needed, other[k].needed);
            EXPECT_EQ(one[k].reason, other[k].reason);
            EXPECT_EQ(one[k].waits, other[k].waits);
        }
    }
    EXPECT_FALSE(differ_in_sizes(of_copies(10, 2), of_copies(10, 3)));
    EXPECT_FALSE(differ_in_sizes(walk(2, 5), walk(2, 5))) << "where threads have their words, these may meet or not";
}

TEST(BlockProgram, SharedBytesAreOfSharedRegionsAlone) {
    EXPECT_EQ(shared_bytes(walk(1, 5)), 48);  // 40 bytes, the next begins at 16
    EXPECT_EQ(shared_bytes(walk(3, 5)), 128);
}

/// Each of 8 threads its own word, the last thread first where `reversed`.
Touch own_words(std::size_t region, bool writes, bool reversed = false) {
    AddressSet set;
    for (int t = 0; t < 8; ++t) set.start.push_back(reversed ? 7 - t : t);
    set.offsets = {0};
    return {region, 0, writes, std::make_shared<const AddressSet>(std::move(set))};
}

/// f makes A, g makes M of other threads' words of A, h makes B of own words of M: as streams place their values.
BlockProgram three_calls(std::optional<int> place_of_b, bool rounds = false) {
    BlockProgram made;
    made.regions = {{"A", Residence::shared, 8}, {"M", Residence::shared, 8}, {"B", Residence::shared, 8}};
    made.regions[0].place = 0, made.regions[1].place = 8, made.regions[2].place = place_of_b;
    made.steps = {{StepKind::copy, "f", "f", "computed", {own_words(0, true)}},
                  {StepKind::compute, "g", "g", "computed", {own_words(0, false, true), own_words(1, true)}},
                  {StepKind::compute, "h", "h", "computed", {own_words(1, false), own_words(2, true)}}};
    made.rounds = rounds;
    return with_barriers(std::move(made));
}

TEST(BlockProgram, RegionsThatShareAPlaceWaitForEachOther) {
    const BlockProgram apart = three_calls(16), over = three_calls(0);
    EXPECT_EQ(barrier_before(apart, 2), nullptr);
    ASSERT_NE(barrier_before(over, 2), nullptr);
    EXPECT_EQ(barrier_before(over, 2)->waits, "h writes B where A lies, which other threads may still read");
    EXPECT_EQ(shared_bytes(apart), 96);
    EXPECT_EQ(shared_bytes(over), 64);
}

TEST(BlockProgram, ARegionWithoutAPlaceLiesApartFromThoseWithOne) {
    const BlockProgram block = three_calls(std::nullopt);
    EXPECT_EQ(barriers_met(block), barriers_met(three_calls(16)));
    EXPECT_EQ(shared_bytes(block), 96);
}

TEST(BlockProgram, RoundsMeetAtTheirEnd) {
    const BlockProgram once = three_calls(16), again = three_calls(16, true);
    EXPECT_EQ(barrier_before(once, 3), nullptr);
    EXPECT_EQ(once.barriers.size(), 3U) << "one decision a step";
    ASSERT_EQ(again.barriers.size(), 4U) << "and one at the end";
    EXPECT_EQ(again.barriers.back().before, 3);
    ASSERT_NE(barrier_before(again, 3), nullptr);
    EXPECT_NE(barrier_before(again, 3)->reason.find("in the next round step 0 (f) writes A"), std::string::npos);
    EXPECT_EQ(barriers_met(again), barriers_met(once) + 1);
}

TEST(BlockProgram, ElidedBarriersHaveReasons) {
    const BlockProgram block = three_calls(16);
    const BarrierDecision& elided = block.barriers.back();
    EXPECT_FALSE(elided.needed);
    EXPECT_EQ(elided.reason, "step 2 (h) touches of M only words that its own thread wrote in step 1 (g)");
}

TEST(BlockProgram, WhatOnlyRegistersHoldNeedsNoDecision) {
    BlockProgram made = three_calls(16);
    for (Region& region : made.regions) region.where = Residence::registers;
    made = with_barriers(std::move(made));
    EXPECT_TRUE(made.barriers.empty());
    EXPECT_EQ(shared_bytes(made), 0);
}

bool lives(const Lifetime& life, int first, int last) { return life.first == first && life.last == last; }

TEST(BlockProgram, ARegionLivesFromItsFirstTouchToItsLast) {
    const std::vector<Lifetime> all = lifetimes(three_calls(0));
    EXPECT_TRUE(lives(all[0], 0, 1));
    EXPECT_TRUE(lives(all[1], 1, 2));
    EXPECT_TRUE(lives(all[2], 2, 2));
    BlockProgram untouched;
    untouched.regions = {{"A", Residence::shared, 8}};
    EXPECT_TRUE(lives(lifetimes(untouched).front(), 0, 0));
}

/// copy A; loop { T ← A; loop { R ← T; X ← R } }: what crosses a loop's border lives as long as the loop.
TEST(BlockProgram, WhatALoopReadsFromAroundItLivesAsLongAsTheLoop) {
    BlockProgram made;
    made.regions = {{"A", Residence::shared, 8},
                    {"T", Residence::shared, 8},
                    {"R", Residence::shared, 8, 2},
                    {"X", Residence::shared, 8}};
    made.steps = {{StepKind::copy, "", "", "", {own_words(0, true)}},
                  {StepKind::loop_begin},
                  {StepKind::compute, "", "", "", {own_words(0, false), own_words(1, true)}},
                  {StepKind::loop_begin},
                  {StepKind::compute, "", "", "", {own_words(1, false), own_words(2, true)}},
                  {StepKind::compute, "", "", "", {own_words(2, false), own_words(3, true)}},
                  {StepKind::loop_end},
                  {StepKind::loop_end}};
    const std::vector<Lifetime> all = lifetimes(made);
    EXPECT_TRUE(lives(all[0], 0, 7));
    EXPECT_TRUE(lives(all[1], 2, 6)) << "made in the outer loop, read in the inner";
    EXPECT_TRUE(lives(all[2], 1, 7)) << "copies of a ring outlive an iteration";
    EXPECT_TRUE(lives(all[3], 5, 5));
}

}  // namespace
}  // namespace kasc::block
