// The check and the elision of barriers keep each other honest: in what the elision makes nothing is found, and without
// any one of its barriers something is.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/bare_kernel.hpp"
#include "unit/schedule/stream_made.hpp"

namespace kasc::test {
namespace {

std::string joined(const std::vector<std::string>& findings) {
    std::string text;
    for (const std::string& finding : findings) text += finding + "\n";
    return text;
}

TEST(CheckMutation, EveryKeptBarrierOfRandomChainsIsNeeded) {
    Chains chains(20);
    int kept = 0, elided = 0, at_end = 0;
    for (int k = 0; k < 3000; ++k) {
        const StreamTask task = chains.next();
        const StreamScheduleResult made = arrange_stream(task);
        ASSERT_TRUE(made.value) << made.reason;
        ASSERT_EQ(joined(check(*made.value)), "") << "chain " << k;
        for (std::size_t b = 0; b < made.value->block.barriers.size(); ++b) {
            StreamSchedule broken = *made.value;
            if (!broken.block.barriers[b].needed) {
                ++elided;
                continue;
            }
            ++kept;
            if (broken.block.barriers[b].before == static_cast<int>(broken.block.steps.size())) ++at_end;
            broken.block.barriers[b].needed = false;
            ASSERT_FALSE(check(broken, 1).empty()) << "chain " << k << ": " << broken.block.barriers[b].reason;
        }
    }
    EXPECT_GT(kept, 1000);  // the chains must be worth the name
    EXPECT_GT(elided, 1000);
    EXPECT_GT(at_end, 50);
}

TEST(CheckMutation, MovingARegionOrDroppingAWriterIsFound) {
    Chains chains(7);
    int moved = 0, dropped = 0;
    for (int k = 0; k < 300; ++k) {
        const StreamSchedule made = *arrange_stream(chains.next()).value;
        for (std::size_t at = 0; at < made.block.regions.size(); ++at) {
            const block::Region& region = made.block.regions[at];
            if (region.where == Residence::registers || region.words == 0) continue;
            kernel::Kernel broken = BareKernel(made).run();
            std::get<kernel::SharedArray>(broken.body[at].node).offset = shared_words(made.block);  // beyond the block
            ASSERT_FALSE(kernel::verify(broken).empty() && kernel::check_shared(broken, 1).empty());
            ++moved;
        }
        StreamSchedule broken = made;
        ASSERT_TRUE(broken.block.steps.front().touches.back().writes);
        broken.block.steps.front().touches.pop_back();
        ASSERT_FALSE(check(broken, 1).empty());
        ++dropped;
    }
    EXPECT_GT(moved, 300);
    EXPECT_GT(dropped, 100);
}

TEST(CheckMutation, RegistersHoldOnlyAThreadsOwnWords) {
    const ValueId a{0}, b{1}, c{2};
    const StreamTask task = task_of({call(0, "f", {8, 1, 1}, {a}, {interleaved(8, 2)}, b, blocked(8, 2)),
                                     call(1, "g", {8, 1, 1}, {b}, {interleaved(8, 2)}, c, blocked(8, 2))},
                                    {c}, 4, 4);
    StreamSchedule made = *arrange_stream(task).value;
    EXPECT_EQ(joined(check(made)), "");
    ASSERT_EQ(made.block.regions[1].where, Residence::shared);
    made.block.regions[1].where = Residence::registers;
    made.block.regions[1].words = 16;
    EXPECT_NE(joined(check(made)).find("other threads' registers"), std::string::npos);
}

}  // namespace
}  // namespace kasc::test
