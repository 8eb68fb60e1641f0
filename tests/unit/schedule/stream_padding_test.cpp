#include <gtest/gtest.h>

#include "unit/schedule/stream_made.hpp"
#include "unit/schedule/stream_one_call.hpp"

namespace kasc::test {
namespace {

TEST(Padding, SpreadsTilesWhoseElementsShareBanks) {
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::author}) {
        for (const int padding : {1, 4}) {
            const StreamScheduleResult made = arrange_stream(one_call(16, padding, transfer));
            ASSERT_TRUE(made.value) << made.reason;
            ASSERT_EQ(made.value->values[0].value, ValueId{0});
            const block::BlockProgram& block = made.value->block;
            EXPECT_EQ(block.regions[0].words, 32 * (16 + padding));
            EXPECT_EQ(block.regions[0].pitch, (TilePitch{16, padding}));
            for (const block::Step& step : block.steps)
                for (const block::Touch& touch : step.touches) {
                    if (touch.words != nullptr) {
                        EXPECT_EQ(touch.words->start[3], 3 * (16 + padding));
                    }
                }
        }
    }
}

TEST(Padding, IsNoChoiceWhereItHelpsNothing) {
    EXPECT_EQ(arrange_stream(one_call(9, 1, TileTransfer::staged)).reason, "no tile takes padding") << "odd";
    EXPECT_EQ(arrange_stream(one_call(4, 4, TileTransfer::staged)).reason, "no tile takes padding") << "4 + 4 is worse";
    StreamTask across = one_call(16, 1, TileTransfer::staged);
    change_patterns(across.calls[0], [](EnumeratedImplementation& how) {
        AddressSet& set = how.inputs[0];
        for (std::int32_t& start : set.start) start = start / 16;  // a word of every element in turn
        set.offsets = {0, 32, 64};
        how.output = set;
    });
    const StreamScheduleResult made = arrange_stream(across);
    EXPECT_FALSE(made.value) << "threads go from element to element";
}

TEST(Padding, MovesTheTilesWords) {
    const TilePitch pitch{16, 1};
    EXPECT_EQ(pitch.at(0), 0);
    EXPECT_EQ(pitch.at(15), 15);
    EXPECT_EQ(pitch.at(16), 17);
    EXPECT_EQ(pitch.at(40), 42);
    EXPECT_EQ(TilePitch{}.at(7), 7);
}

}  // namespace
}  // namespace kasc::test
