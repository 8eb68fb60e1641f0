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

std::string step_texts(const StreamSchedule& schedule) {
    const block::BlockProgram& block = schedule.block;
    std::string text;
    for (std::size_t k = 0; k < block.steps.size(); ++k)
        text += (barrier_before(block, k) != nullptr ? "| " : "") + block.steps[k].label + "; ";
    return text + (barrier_before(block, block.steps.size()) != nullptr ? "|" : "");
}

StreamTask two_calls(const AddressSet& produced, const AddressSet& consumed,
                     TileTransfer transfer = TileTransfer::author, int batch = 1) {
    return task_of(
        {call(0, "f", {8, 1, 1}, {a}, {produced}, b, produced), call(1, "g", {8, 1, 1}, {b}, {consumed}, c, consumed)},
        {c}, 8, 2, transfer, batch);
}

/// One region a value, one entry of each table beside it; a step touches what it reads, then what it writes.
TEST(StreamSchedule, ItsBlockHasARegionAValueAndSaysWhatEachStepTouches) {
    const StreamTask task = two_calls(interleaved(8, 2), blocked(8, 2));
    const StreamSchedule made = arranged(task);
    ASSERT_EQ(made.values.size(), 3U);
    ASSERT_EQ(made.block.regions.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(made.values[k].value, ValueId{static_cast<std::uint32_t>(k)});
        EXPECT_EQ(made.block.regions[k].name, task.values.at(made.values[k].value).name);
        EXPECT_EQ(made.block.regions[k].place.has_value(), made.block.regions[k].where == Residence::shared);
    }
    ASSERT_EQ(made.block.steps.size(), 4U);
    ASSERT_EQ(made.calls.size(), 4U);
    const auto kinds = {StepKind::copy, StepKind::compute, StepKind::compute, StepKind::store};
    EXPECT_TRUE(std::equal(kinds.begin(), kinds.end(), made.block.steps.begin(),
                           [](StepKind kind, const block::Step& step) { return step.kind == kind; }));
    const block::Step &load = made.block.steps[0], &g = made.block.steps[2], &save = made.block.steps[3];
    EXPECT_TRUE(reads_of(load).empty());
    EXPECT_EQ(write_of(load)->region, 0U);
    ASSERT_EQ(reads_of(g).size(), 1U);
    EXPECT_EQ(reads_of(g).front().region, 1U);
    EXPECT_EQ(write_of(g)->region, 2U);
    EXPECT_EQ(reads_of(save).front().region, 2U);
    EXPECT_EQ(write_of(save), nullptr);
}

/// A search makes thousands of schedules: none has sets of its own.
TEST(StreamSchedule, SharesTheSetsOfItsImplementations) {
    const StreamTask task = two_calls(interleaved(8, 2), blocked(8, 2));
    const StreamSchedule one = arranged(task), other = arranged(task);
    for (std::size_t k = 0; k < one.block.steps.size(); ++k)
        for (std::size_t t = 0; t < one.block.steps[k].touches.size(); ++t)
            EXPECT_EQ(one.block.steps[k].touches[t].words, other.block.steps[k].touches[t].words);
}

TEST(StreamSchedule, CompatiblePatternsStayInRegistersWithoutABarrier) {
    const StreamTask task = two_calls(interleaved(8, 2), interleaved(8, 2));
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(made), "load a; f; g; save c; ");
    EXPECT_EQ(shared_words(made.block), 0);
    for (std::size_t k = 0; k < made.values.size(); ++k) {
        EXPECT_EQ(made.block.regions[k].where, Residence::registers) << made.values[k].reason;
        EXPECT_EQ(made.block.regions[k].words,
                  9);  // the words 0 and 8 of a thread: a register array has the author's spacing
    }
    EXPECT_TRUE(made.block.barriers.empty());
}

TEST(StreamSchedule, OtherPatternsLieInSharedMemoryBehindABarrier) {
    const StreamTask task = two_calls(interleaved(8, 2), blocked(8, 2));
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(made), "load a; f; | g; save c; ");
    EXPECT_EQ(made.block.regions[1].where, Residence::shared);
    EXPECT_EQ(shared_words(made.block), 16);
    EXPECT_NE(made.block.barriers.back().reason.find("reads b, which other threads wrote in step 1 (f)"),
              std::string::npos)
        << made.block.barriers.back().reason;
}

TEST(StreamSchedule, NoregForbidsRegistersButOwnWordsNeedNoBarrier) {
    AddressSet stubborn = interleaved(8, 2);
    stubborn.noreg = true;
    const StreamTask task = two_calls(interleaved(8, 2), stubborn);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(made.block.regions[1].where, Residence::shared);
    EXPECT_NE(made.values[1].reason.find("the pattern of g says noreg"), std::string::npos);
    EXPECT_EQ(step_texts(made), "load a; f; g; save c; ");
    ASSERT_FALSE(made.block.barriers.empty());
    for (const BarrierDecision& decision : made.block.barriers) EXPECT_FALSE(decision.needed) << decision.reason;
    const auto reads_b = std::find_if(made.block.barriers.begin(), made.block.barriers.end(),
                                      [](const auto& x) { return x.before == 2; });
    ASSERT_NE(reads_b, made.block.barriers.end());
    EXPECT_NE(reads_b->reason.find("only words that its own thread wrote"), std::string::npos) << reads_b->reason;
}

TEST(StreamSchedule, WordsBeforeTheStartForbidRegisters) {
    AddressSet before = blocked(8, 2);
    for (std::int32_t& start : before.start) ++start;
    before.offsets = {-1, 0};
    const StreamSchedule made = arranged(two_calls(before, before));
    EXPECT_EQ(made.block.regions[1].where, Residence::shared);
    EXPECT_EQ(made.values[1].reason, "f touches words before its start address");
}

TEST(StreamSchedule, OtherThreadCountsForbidRegistersAndGuard) {
    const StreamTask task = task_of({call(0, "f", {8, 1, 1}, {a}, {blocked(8, 2)}, b, blocked(8, 2)),
                                     call(1, "g", {4, 1, 1}, {b}, {blocked(4, 4)}, c, blocked(4, 4))},
                                    {c}, 8, 2);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(made.threads, 8);
    EXPECT_NE(made.values[1].reason.find("f uses 8 threads, g uses 4"), std::string::npos) << made.values[1].reason;
    ASSERT_EQ(made.calls.size(), 4U);
    EXPECT_FALSE(made.calls[1].guard_threads);
    EXPECT_TRUE(made.calls[2].guard_threads);
    EXPECT_EQ(made.calls[2].shape, (BlockShape{4, 1, 1}));
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
    EXPECT_EQ(step_texts(made), "load a; | f; | g; | save c; ");
    EXPECT_TRUE(copies_together(made.block.steps[0]));
    EXPECT_TRUE(made.block.steps[0].asynchronous);
    EXPECT_EQ(made.block.steps[0].touches.front().copied_words, 16);
    EXPECT_EQ(made.block.steps[3].touches.front().copied_words, 16);
    EXPECT_FALSE(made.block.steps[3].asynchronous);
    EXPECT_FALSE(calls_a_function(made.block.steps[3]));
}

TEST(StreamSchedule, WideTransfersKeepTheirRegistersWhenStaged) {
    const StreamTask narrow = two_calls(blocked(8, 2), blocked(8, 2), TileTransfer::staged);
    EXPECT_EQ(arranged(narrow).block.regions[0].where, Residence::shared);
    for (const AddressSet& wide : {blocked(8, 4), interleaved(8, 2)}) {
        StreamTask task = two_calls(wide, wide, TileTransfer::staged);
        task.choice.elements = wide.tile_words() / 2;
        const StreamSchedule made = arranged(task);
        EXPECT_EQ(made.block.regions[0].where, Residence::registers);
        EXPECT_FALSE(copies_together(made.block.steps[0]));
        EXPECT_FALSE(made.block.steps[0].asynchronous);
        EXPECT_NE(made.values[0].reason.find("as wide as a staged one"), std::string::npos);
    }
}

TEST(StreamSchedule, RepeatedRoundsKeepABarrierAtTheirEndWhereTheyMeet) {
    const StreamTask once = two_calls(interleaved(8, 2), blocked(8, 2));
    const StreamTask twice = two_calls(interleaved(8, 2), blocked(8, 2), TileTransfer::author, 2);
    EXPECT_EQ(step_texts(arranged(once)), "load a; f; | g; save c; ");
    EXPECT_EQ(step_texts(arranged(twice)), "load a; f; | g; save c; |");
    EXPECT_NE(arranged(twice).block.barriers.back().reason.find("in the next round step 1 (f) writes b"),
              std::string::npos);
}

TEST(StreamSchedule, AValueReadTwiceIsLoadedOnce) {
    const StreamTask task =
        task_of({call(0, "f", {8, 1, 1}, {a, a}, {blocked(8, 2), interleaved(8, 2)}, b, blocked(8, 2)),
                 call(1, "g", {8, 1, 1}, {b, a}, {blocked(8, 2), blocked(8, 2)}, c, blocked(8, 2))},
                {b, c}, 8, 2);
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(made), "load a; | f; save b; g; save c; ");
    EXPECT_EQ(lifetimes(made.block)[0].first, 0);
    EXPECT_EQ(lifetimes(made.block)[0].last, 3);
}

TEST(StreamSchedule, AValueTakesAnothersPlaceWhereThatCostsNoBarrierOrSpaceIsDear) {
    const ValueId e{3}, m{4}, r{5};
    const AddressSet read = blocked(8, 8), made_set = interleaved(8, 8);
    StreamTask task = task_of({call(0, "f", {8, 1, 1}, {a, b}, {read, read}, m, made_set),
                               call(1, "g", {8, 1, 1}, {m, e}, {read, read}, r, read)},
                              {r}, 8, 8);
    for (TaskCall& made : task.calls)
        change_patterns(made, [&](EnumeratedImplementation& how) {
            for (AddressSet& load : how.loads) load = made_set;
        });
    const StreamSchedule tight = arranged(task);  // 256 words are more than 20 a thread
    EXPECT_EQ(shared_words(tight.block), 192);
    EXPECT_EQ(step_texts(tight), "load a; load b; | f; | load d; | g; save f; ");
    const auto widen = [](AddressSet& set) {
        for (int t = 8; t < 32; ++t) set.start.push_back(set.start[static_cast<std::size_t>(t % 8)]);
    };
    for (TaskCall& made : task.calls)
        change_patterns(made, [&](EnumeratedImplementation& how) {
            how.block = {32, 1, 1};
            for (AddressSet& set : how.loads) widen(set);
            for (AddressSet& set : how.inputs) widen(set);
            widen(how.output), widen(how.save);
        });
    const StreamSchedule loose = arranged(task);
    EXPECT_EQ(shared_words(loose.block), 256);
    EXPECT_EQ(step_texts(loose), "load a; load b; | f; load d; | g; save f; ");
}

/// for (…) b = f(b), from a on: the loop's moves are steps as well, from region to region.
TEST(StreamSchedule, ALoopCarriesItsValueFromRegionToRegion) {
    const ValueId inside{1}, result{2}, entered{3};
    const AddressSet own = blocked(8, 2);
    StreamTask task = task_of({call(0, "f", {8, 1, 1}, {entered}, {own}, inside, own)}, {result}, 8, 2);
    task.fusion.inputs = {a};
    for (const ValueId value : {a, result}) task.values.emplace(value, TaskValue{value == a ? "a" : "c", 2});
    InnerLoop loop;
    loop.body = {NodeId{0}};
    loop.enter = {{a, entered}, {a, result}};
    loop.repeat = {{inside, entered}, {inside, result}};
    task.loops = {{NodeId{7}, 0, 1, loop}};
    const StreamSchedule made = arranged(task);
    EXPECT_EQ(step_texts(made), "load a; carry d; carry c; ; f; carry d; carry c; ; save c; ");
    EXPECT_EQ(made.block.steps[1].kind, StepKind::move);
    EXPECT_EQ(made.block.steps[1].touches.front().region, 0U);
    EXPECT_EQ(made.block.steps[1].touches.back().region, 3U);
    ASSERT_EQ(made.loops.size(), 1U);
    EXPECT_EQ(made.loops[0].begin, 3);
    EXPECT_EQ(made.loops[0].end, 7);
    EXPECT_TRUE(made.block.steps[3].may_skip);
    const std::vector<block::Lifetime> lives = lifetimes(made.block);
    EXPECT_EQ(lives[3].last, 7) << "what enters an iteration lives as long as the loop";
    EXPECT_EQ(lives[1].last, 6) << "what an iteration makes does not";
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
