#include <gtest/gtest.h>

#include "unit/schedule/stream_one_call.hpp"

namespace kasc::test {
namespace {

const Placement& placement(const StreamSchedule& s, ValueId value) {
    return *std::find_if(s.placements.begin(), s.placements.end(),
                         [&](const Placement& p) { return p.value == value; });
}

TEST(Padding, SpreadsTilesWhoseElementsShareBanks) {
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::author}) {
        for (const int padding : {1, 4}) {
            const StreamScheduleResult made = arrange_stream(one_call(16, padding, transfer));
            ASSERT_TRUE(made.value) << made.reason;
            const Placement& a = placement(*made.value, ValueId{0});
            EXPECT_EQ(a.words, 32 * (16 + padding));
            EXPECT_EQ(a.pitch, (TilePitch{16, padding}));
            for (const Step& step : made.value->steps) {
                if (step.kind != StepKind::call) continue;
                EXPECT_EQ(step.read_sets[0].start[3], 3 * (16 + padding));
                EXPECT_EQ(step.write_set->start[3], 3 * (16 + padding));
            }
            for (const Step& step : made.value->steps) {
                if (step.staged_words > 0) {
                    EXPECT_EQ(step.staged_pitch, a.pitch);
                }
            }
        }
    }
}

TEST(Padding, IsNoChoiceWhereItHelpsNothing) {
    EXPECT_EQ(arrange_stream(one_call(9, 1, TileTransfer::staged)).reason, "no tile takes padding") << "odd";
    EXPECT_EQ(arrange_stream(one_call(4, 4, TileTransfer::staged)).reason, "no tile takes padding") << "4 + 4 is worse";
    StreamTask across = one_call(16, 1, TileTransfer::staged);
    AddressSet& set = across.calls[0].enumerated.inputs[0];
    for (std::int32_t& start : set.start) start = start / 16;  // a word of every element in turn
    set.offsets = {0, 32, 64};
    across.calls[0].enumerated.output = set;
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
