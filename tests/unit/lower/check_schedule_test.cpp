// Schedules made by hand, each wrong in one way.

#include <gtest/gtest.h>

#include "support/bare_kernel.hpp"
#include "unit/schedule/stream_made.hpp"
#include "unit/schedule/stream_one_call.hpp"

namespace kasc::test::checked {
namespace {

const ValueId a{0}, b{1};

/// Four threads: step 0 writes a, step 1 reads it (and writes b where asked).
struct Made {
    StreamSchedule schedule;

    Made(const AddressSet& written, const AddressSet& read) {
        schedule.block = {4, 1, 1};
        schedule.threads = 4;
        schedule.shared_words = 16;
        schedule.placements = {{a, Residence::shared, "", 8, 0, 0, 1, {}}, {b, Residence::shared, "", 8, 8, 1, 1, {}}};
        Step load, call;
        load.kind = StepKind::load;
        load.block = call.block = {4, 1, 1};
        load.writes = a;
        load.write_set = written;
        call.reads = {a};
        call.read_sets = {read};
        schedule.steps = {load, call};
    }
    Made& writing_b(const AddressSet& set) {
        schedule.steps[1].writes = b;
        schedule.steps[1].write_set = set;
        return *this;
    }
    Made& barrier(int before) {
        schedule.barriers.push_back({before, true, "", ""});
        return *this;
    }
    [[nodiscard]] std::string first() const {
        const std::vector<std::string> findings = check(schedule);
        return findings.empty() ? "" : findings.front();
    }
};

TEST(CheckSchedule, AcceptsOwnWordsAndOthersWordsBehindABarrier) {
    EXPECT_EQ(Made(blocked(4, 2), blocked(4, 2)).first(), "");
    EXPECT_EQ(Made(blocked(4, 2), reversed(4, 2)).barrier(1).first(), "");
}

TEST(CheckSchedule, FindsAReadOfAnotherThreadsWord) {
    EXPECT_EQ(Made(blocked(4, 2), reversed(4, 2)).first(),
              "reads v0[6], which another thread writes with no barrier between");
}

TEST(CheckSchedule, FindsAnOverwriteOfWhatOthersMayStillRead) {
    Made made(blocked(4, 2), reversed(4, 2));
    made.barrier(1).schedule.choice.batch = 2;  // the next round loads a while step 1 may still read it
    EXPECT_EQ(made.first(), "writes v0[0], which another thread reads with no barrier between");
    EXPECT_EQ(made.barrier(2).first(), "");
}

TEST(CheckSchedule, FindsAWriteBesideAnEarlierStepsWriteEvenByOneOfSeveral) {
    // In step 1 threads 0 to 3 all write word 0 of b, which lies where a was written by thread 0 just before.
    Made made(blocked(4, 2), blocked(4, 2));
    made.writing_b(words({0, 0, 0, 0}, {0}));
    EXPECT_EQ(made.first(), "");  // one step's own stores of one result are its author's affair
    made.schedule.placements[1].offset = 0;
    made.schedule.placements[0].last_step = 0;
    made.schedule.steps[1].reads.clear();
    made.schedule.steps[1].read_sets.clear();
    EXPECT_EQ(made.first(), "writes v1[0], which another thread writes with no barrier between");
}

TEST(CheckSchedule, FindsWordsThatNothingWrote) {
    EXPECT_EQ(Made(words({0, 1, 2, 3}, {0}), blocked(4, 2)).barrier(1).first(), "reads v0[4], which nothing wrote");
}

TEST(CheckSchedule, FindsAddressesBeyondTheirPlace) {
    EXPECT_EQ(Made(blocked(4, 3), blocked(4, 2)).barrier(1).first(), "touches v0[8] of 8");
    EXPECT_EQ(Made(words({-1, 0, 1, 2}, {0}), words({0, 1, 2, 2}, {0})).barrier(1).first(), "touches v0[-1] of 8");
}

TEST(CheckSchedule, FindsAPlaceOverOneThatIsStillRead) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.writing_b(blocked(4, 2)).schedule.placements[1].offset = 4;
    Step last;
    last.kind = StepKind::save;
    last.block = {4, 1, 1};
    last.reads = {a};
    last.read_sets = {blocked(4, 2)};
    made.schedule.steps.push_back(last);
    made.barrier(1).barrier(2);
    EXPECT_EQ(made.first(), "reads v0[4], which another thread writes with no barrier between");
    made.schedule.steps[1].reads.clear();
    made.schedule.steps[1].read_sets.clear();
    EXPECT_EQ(made.first(), "reads v0[4], which nothing wrote");  // but as another value
}

TEST(CheckSchedule, FindsACopyThatIsNotAwaited) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.schedule.steps[0].transfer = TileTransfer::staged;
    made.schedule.steps[0].staged_words = 8;
    made.barrier(1);
    EXPECT_EQ(made.first(), "");
    kernel::Kernel k = BareKernel(made.schedule).run();
    auto& round = std::get<kernel::For>(k.body.back().node);
    for (kernel::Statement& s : round.body)
        if (auto* barrier = std::get_if<kernel::Barrier>(&s.node)) barrier->await_copies = false;
    const std::vector<std::string> findings = kernel::check_shared(k);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front(), "reads v0[0], which a copy may still bring");
}

TEST(CheckSchedule, AStagedCopyIsAThreadThatIsNoOther) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.schedule.steps[0].transfer = TileTransfer::staged;
    made.schedule.steps[0].staged_words = 8;
    EXPECT_EQ(made.first(), "reads v0[0], which another thread writes with no barrier between");
    EXPECT_EQ(made.barrier(1).first(), "");
}

TEST(CheckSchedule, FindsACopyThatDoesNotKnowOfThePadding) {
    StreamScheduleResult made = arrange_stream(one_call(16, 1, TileTransfer::staged));
    ASSERT_TRUE(made.value);
    EXPECT_TRUE(check(*made.value).empty());
    for (Step& step : made.value->steps)
        if (step.kind == StepKind::load) step.staged_pitch = {};
    EXPECT_FALSE(check(*made.value).empty());
}

TEST(CheckSchedule, FindsThreadsThatAStepDoesNotHave) {
    Made made(blocked(4, 2), blocked(2, 4));
    made.schedule.steps[1].block = {2, 1, 1};
    made.barrier(1);
    EXPECT_EQ(made.first(), "touches v0 by threads that its pattern does not have");
    made.schedule.steps[1].guard_threads = true;
    EXPECT_EQ(made.first(), "");
}

TEST(CheckSchedule, EndsAfterTenFindings) {
    EXPECT_EQ(check(Made(blocked(4, 2), everything(4, 2)).schedule).size(), 8U);  // one a word
    Made made(blocked(4, 2), everything(4, 100));
    EXPECT_EQ(check(made.schedule).size(), 10U);
}

}  // namespace
}  // namespace kasc::test::checked
