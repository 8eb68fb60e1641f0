#include <gtest/gtest.h>

#include <algorithm>

#include "unit/schedule/stream_made.hpp"

namespace kasc::test::streams {
namespace {

const ValueId a{0}, b{1}, c{2};

StreamSchedule arranged(const StreamTask& task) {
    StreamScheduleResult result = arrange_stream(task);
    EXPECT_TRUE(result.value) << result.reason;
    return result.value.value_or(StreamSchedule{});
}

std::string step_texts(const StreamTask& task, const StreamSchedule& schedule) {
    std::string text;
    for (std::size_t k = 0; k < schedule.steps.size(); ++k) {
        const bool barrier =
            std::any_of(schedule.barriers.begin(), schedule.barriers.end(),
                        [&](const BarrierDecision& x) { return x.needed && x.before == static_cast<int>(k); });
        text += (barrier ? "| " : "") + step_label(task, schedule.steps[k]) + "; ";
    }
    const bool end = !schedule.barriers.empty() && schedule.barriers.back().needed &&
                     schedule.barriers.back().before == static_cast<int>(schedule.steps.size());
    return text + (end ? "|" : "");
}

StreamTask two_calls(const AddressSet& produced, const AddressSet& consumed,
                     TileTransfer transfer = TileTransfer::author, int batch = 1) {
    return task_of(
        {call(0, "f", {8, 1, 1}, {a}, {produced}, b, produced), call(1, "g", {8, 1, 1}, {b}, {consumed}, c, consumed)},
        {c}, 8, 2, transfer, batch);
}

TEST(StreamSchedule, CompatiblePatternsStayInRegistersWithoutABarrier) {
    const StreamTask task = two_calls(interleaved(8, 2), interleaved(8, 2));
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(task, made), "load a; f; g; save c; ");
    EXPECT_EQ(made.shared_words, 0);
    for (const Placement& p : made.placements) {
        EXPECT_EQ(p.where, Residence::registers) << p.reason;
        EXPECT_EQ(p.words, 9);  // the words 0 and 8 of a thread: a register array has the author's spacing
    }
    EXPECT_TRUE(made.barriers.empty());
}

TEST(StreamSchedule, OtherPatternsLieInSharedMemoryBehindABarrier) {
    const StreamTask task = two_calls(interleaved(8, 2), blocked(8, 2));
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(task, made), "load a; f; | g; save c; ");
    EXPECT_EQ(made.placements[1].where, Residence::shared);
    EXPECT_EQ(made.shared_words, 16);
    EXPECT_NE(made.barriers.back().reason.find("reads b, which other threads wrote in step 1 (f)"), std::string::npos)
        << made.barriers.back().reason;
}

TEST(StreamSchedule, NoregForbidsRegistersButOwnWordsNeedNoBarrier) {
    AddressSet stubborn = interleaved(8, 2);
    stubborn.noreg = true;
    const StreamTask task = two_calls(interleaved(8, 2), stubborn);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(made.placements[1].where, Residence::shared);
    EXPECT_NE(made.placements[1].reason.find("the pattern of g says noreg"), std::string::npos);
    EXPECT_EQ(step_texts(task, made), "load a; f; g; save c; ");
    ASSERT_FALSE(made.barriers.empty());
    for (const BarrierDecision& decision : made.barriers) EXPECT_FALSE(decision.needed) << decision.reason;
    const auto reads_b =
        std::find_if(made.barriers.begin(), made.barriers.end(), [](const auto& x) { return x.before == 2; });
    ASSERT_NE(reads_b, made.barriers.end());
    EXPECT_NE(reads_b->reason.find("only words that its own thread wrote"), std::string::npos) << reads_b->reason;
}

TEST(StreamSchedule, OtherThreadCountsForbidRegistersAndGuard) {
    const StreamTask task = task_of({call(0, "f", {8, 1, 1}, {a}, {blocked(8, 2)}, b, blocked(8, 2)),
                                     call(1, "g", {4, 1, 1}, {b}, {blocked(4, 4)}, c, blocked(4, 4))},
                                    {c}, 8, 2);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(made.threads, 8);
    EXPECT_NE(made.placements[1].reason.find("f uses 8 threads, g uses 4"), std::string::npos)
        << made.placements[1].reason;
    ASSERT_EQ(made.steps.size(), 4U);
    EXPECT_FALSE(made.steps[1].guard_threads);
    EXPECT_TRUE(made.steps[2].guard_threads);
    EXPECT_FALSE(made.steps[2].recompute_coordinates);  // tx of 4 threads is tx of 8
}

TEST(StreamSchedule, CoordinatesAreRecomputedWhereTheyDiffer) {
    EXPECT_EQ(coordinates_differ({3, 32, 1}, {3, 96, 1}), (std::array<bool, 3>{false, false, false}));
    EXPECT_EQ(coordinates_differ({3, 32, 1}, {9, 32, 1}), (std::array<bool, 3>{true, true, false}));
    EXPECT_EQ(coordinates_differ({4, 2, 3}, {2, 4, 3}), (std::array<bool, 3>{true, true, false}));
    EXPECT_EQ(coordinates_differ({4, 1, 2}, {4, 2, 1}), (std::array<bool, 3>{false, true, true}));
}

TEST(StreamSchedule, StagedCopiesLeadTheRoundAndSavesEndIt) {
    const StreamTask task = two_calls(blocked(8, 2), reversed(8, 2), TileTransfer::staged);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(task, made), "load a; | f; | g; | save c; ");
    EXPECT_EQ(made.steps[0].transfer, TileTransfer::staged);
    EXPECT_EQ(made.steps[0].staged_words, 16);
    EXPECT_EQ(made.steps[3].staged_words, 16);
    EXPECT_EQ(made.steps[0].write_set->start[1], 4);
}

TEST(StreamSchedule, WideTransfersKeepTheirRegistersWhenStaged) {
    const StreamTask narrow = two_calls(blocked(8, 2), blocked(8, 2), TileTransfer::staged);
    EXPECT_EQ(arranged(narrow).placements[0].where, Residence::shared);
    for (const AddressSet& wide : {blocked(8, 4), interleaved(8, 2)}) {
        StreamTask task = two_calls(wide, wide, TileTransfer::staged);
        task.choice.elements = wide.tile_words() / 2;
        const StreamSchedule made = arranged(task);
        EXPECT_EQ(made.placements[0].where, Residence::registers);
        EXPECT_EQ(made.steps[0].transfer, TileTransfer::author);
        EXPECT_NE(made.placements[0].reason.find("as wide as a staged one"), std::string::npos);
    }
}

TEST(StreamSchedule, RepeatedRoundsKeepABarrierAtTheirEndWhereTheyMeet) {
    const StreamTask once = two_calls(interleaved(8, 2), blocked(8, 2));
    const StreamTask twice = two_calls(interleaved(8, 2), blocked(8, 2), TileTransfer::author, 2);
    EXPECT_EQ(step_texts(once, arranged(once)), "load a; f; | g; save c; ");
    EXPECT_EQ(step_texts(twice, arranged(twice)), "load a; f; | g; save c; |");
    EXPECT_NE(arranged(twice).barriers.back().reason.find("in the next round step 1 (f) writes b"), std::string::npos);
}

TEST(StreamSchedule, AValueReadTwiceIsLoadedOnce) {
    const StreamTask task =
        task_of({call(0, "f", {8, 1, 1}, {a, a}, {blocked(8, 2), interleaved(8, 2)}, b, blocked(8, 2)),
                 call(1, "g", {8, 1, 1}, {b, a}, {blocked(8, 2), blocked(8, 2)}, c, blocked(8, 2))},
                {b, c}, 8, 2);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(task, made), "load a; | f; save b; g; save c; ");
    EXPECT_EQ(made.placements[0].first_step, 0);
    EXPECT_EQ(made.placements[0].last_step, 3);
}

TEST(StreamSchedule, AValueTakesAnothersPlaceWhereThatCostsNoBarrierOrSpaceIsDear) {
    const ValueId e{3}, m{4}, r{5};
    const AddressSet read = blocked(8, 8), made_set = interleaved(8, 8);
    StreamTask task = task_of({call(0, "f", {8, 1, 1}, {a, b}, {read, read}, m, made_set),
                               call(1, "g", {8, 1, 1}, {m, e}, {read, read}, r, read)},
                              {r}, 8, 8);
    for (TaskCall& made : task.calls)
        for (AddressSet& load : made.enumerated.loads) load = made_set;
    const StreamSchedule tight = arranged(task);  // 256 words are more than 20 a thread
    EXPECT_EQ(tight.shared_words, 192);
    EXPECT_EQ(step_texts(task, tight), "load a; load b; | f; | load d; | g; save f; ");
    for (TaskCall& made : task.calls) made.enumerated.block = {32, 1, 1};
    const auto widen = [](AddressSet& set) {
        for (int t = 8; t < 32; ++t) set.start.push_back(set.start[static_cast<std::size_t>(t % 8)]);
    };
    for (TaskCall& made : task.calls) {
        for (AddressSet& set : made.enumerated.loads) widen(set);
        for (AddressSet& set : made.enumerated.inputs) widen(set);
        widen(made.enumerated.output), widen(made.enumerated.save);
    }
    const StreamSchedule loose = arranged(task);
    EXPECT_EQ(loose.shared_words, 256);
    EXPECT_EQ(step_texts(task, loose), "load a; load b; | f; load d; | g; save f; ");
}

TEST(StreamSchedule, RefusesWhatDoesNotFitWithAReason) {
    StreamTask task = two_calls(interleaved(8, 2), blocked(8, 2));
    task.max_shared_bytes = 63;
    EXPECT_EQ(arrange_stream(task).reason, "64 bytes of shared memory are more than the device's 63 a block");
    task.max_threads = 7;
    EXPECT_EQ(arrange_stream(task).reason, "8 threads are more than the device's 7 a block");
}

TEST(StreamSchedule, RefusesTilesOfDifferentLayout) {
    AddressSet padded = blocked(8, 2);
    for (std::size_t t = 0; t < 8; ++t) padded.start[t] = static_cast<std::int32_t>(3 * t);
    const StreamTask task = two_calls(blocked(8, 2), padded);
    EXPECT_EQ(arrange_stream(task).reason, "g reads word 16 of b, which f does not write: their layouts differ");
}

}  // namespace
}  // namespace kasc::test::streams
