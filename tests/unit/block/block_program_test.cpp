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
                  {StepKind::copy, "fill", "the fill", "filled", {{0, 0, true, nullptr, {}, 10, {}}}},
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
    // Of three copies the one that was filled before is read: the barrier of the iteration before has passed, but for
    // it.
    const BlockProgram block = walk(3, 4, 2);
    EXPECT_EQ(barriers_met(block), 4);
}

TEST(BlockProgram, SharedBytesAreOfSharedRegionsAlone) {
    EXPECT_EQ(shared_bytes(walk(1, 5)), 48);  // 40 bytes, the next begins at 16
    EXPECT_EQ(shared_bytes(walk(3, 5)), 128);
}

}  // namespace
}  // namespace kasc::block
