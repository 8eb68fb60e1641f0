#include <gtest/gtest.h>

#include "schedule/stream_task.hpp"
#include "schedule/verify.hpp"

namespace kasc::test {
namespace {

AddressSet own_elements(int threads, int words) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t * words);
    for (int w = 0; w < words; ++w) set.offsets.push_back(w);
    return set;
}

/// r = f(a), elements of `words` words, a thread an element, both values in shared memory by noreg.
StreamTask one_call(int words, int padding, TileTransfer transfer) {
    constexpr int threads = 32;
    StreamTask task;
    const ValueId a{0}, r{1};
    task.fusion.calls = {NodeId{0}};
    task.fusion.inputs = {a};
    task.fusion.outputs = {r};
    task.choice = {{0}, threads, 1, transfer, padding};
    task.values = {{a, {"a", words}}, {r, {"r", words}}};
    TaskCall call;
    call.node = NodeId{0};
    call.implementation = "f_1";
    call.reads = {a};
    call.writes = r;
    call.enumerated.block = {threads, 1, 1};
    call.enumerated.elements = threads;
    AddressSet set = own_elements(threads, words);
    set.noreg = true;
    call.enumerated.loads = {set};
    call.enumerated.save = set;
    call.enumerated.inputs = {set};
    call.enumerated.output = set;
    task.calls = {call};
    return task;
}

const Placement& placement(const StreamSchedule& s, ValueId value) {
    return *std::find_if(s.placements.begin(), s.placements.end(),
                         [&](const Placement& p) { return p.value == value; });
}

TEST(Padding, SpreadsTilesWhoseElementsShareBanks) {
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::author}) {
        for (const int padding : {1, 4}) {
            const StreamScheduleResult made = arrange_stream(one_call(16, padding, transfer));
            ASSERT_TRUE(made.value) << made.reason;
            EXPECT_TRUE(verify(*made.value).empty());
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

/// A copy that does not know of the padding writes where nobody reads.
TEST(Padding, TheVerifierSeesACopyWithoutIt) {
    StreamScheduleResult made = arrange_stream(one_call(16, 1, TileTransfer::staged));
    ASSERT_TRUE(made.value);
    for (Step& step : made.value->steps)
        if (step.kind == StepKind::load) step.staged_pitch = {};
    EXPECT_FALSE(verify(*made.value).empty());
}

}  // namespace
}  // namespace kasc::test
