// Schedules made by hand, each wrong in one way.

#include "schedule/verify.hpp"

#include <gtest/gtest.h>

#include "unit/schedule/stream_made.hpp"

namespace kasc::test::verified {
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
        const std::vector<std::string> findings = verify(schedule);
        return findings.empty() ? "" : findings.front();
    }
};

TEST(Verify, AcceptsOwnWordsAndOthersWordsBehindABarrier) {
    EXPECT_EQ(Made(blocked(4, 2), blocked(4, 2)).first(), "");
    EXPECT_EQ(Made(blocked(4, 2), reversed(4, 2)).barrier(1).first(), "");
}

TEST(Verify, FindsAReadOfAnotherThreadsWord) {
    EXPECT_EQ(Made(blocked(4, 2), reversed(4, 2)).first(),
              "race: step 1 reads shared word 6 of value 0 that another thread wrote since the last barrier");
}

TEST(Verify, FindsAnOverwriteOfWhatOthersMayStillRead) {
    Made made(blocked(4, 2), reversed(4, 2));
    made.barrier(1).schedule.choice.batch = 2;  // the next round loads a while step 1 may still read it
    EXPECT_EQ(made.first(),
              "race: step 0 writes shared word 0 of value 0 that another thread read since the last barrier");
    EXPECT_EQ(made.barrier(2).first(), "");
}

TEST(Verify, FindsAWriteBesideAnEarlierStepsWriteEvenByOneOfSeveral) {
    // In step 1 threads 0 to 3 all write word 0 of b, which lies where a was written by thread 0 just before.
    Made made(blocked(4, 2), blocked(4, 2));
    made.writing_b(words({0, 0, 0, 0}, {0}));
    EXPECT_EQ(made.first(), "");  // one step's own stores of one result are its author's affair
    made.schedule.placements[1].offset = 0;
    made.schedule.placements[0].last_step = 0;
    made.schedule.steps[1].reads.clear();
    made.schedule.steps[1].read_sets.clear();
    EXPECT_EQ(made.first(),
              "race: step 1 writes shared word 0 of value 1 that another thread wrote since the last barrier");
}

TEST(Verify, FindsWordsThatNothingWrote) {
    EXPECT_EQ(Made(words({0, 1, 2, 3}, {0}), blocked(4, 2)).barrier(1).first(),
              "step 1 reads word 4 of value 0, which nothing wrote");
}

TEST(Verify, FindsAddressesBeyondTheirPlace) {
    EXPECT_EQ(Made(blocked(4, 3), blocked(4, 2)).barrier(1).first(), "step 0 touches word 8 of value 0, which has 8");
    EXPECT_EQ(Made(words({-1, 0, 1, 2}, {0}), words({0, 1, 2, 2}, {0})).barrier(1).first(),
              "step 0 touches word -1 of value 0, which has 8");
}

TEST(Verify, FindsPlacesThatOverlapOrLieOutside) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.schedule.placements[1].offset = 4;
    EXPECT_EQ(made.first(), "values 0 and 1 share words while both live");
    made.schedule.placements[1].offset = 12;
    EXPECT_EQ(made.first(), "value 1 lies outside the shared block or off its 16-byte grid");
}

TEST(Verify, FindsUseOutsideALifetimeAndWithoutAPlace) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.schedule.placements[0].last_step = 0;
    EXPECT_EQ(made.first(), "step 1 touches value 0 outside its lifetime");
    made.schedule.placements.erase(made.schedule.placements.begin());
    EXPECT_EQ(made.first(), "step 0: value 0 lies nowhere");
}

TEST(Verify, AStagedCopyIsAThreadThatIsNoOther) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.schedule.steps[0].transfer = TileTransfer::staged;
    made.schedule.steps[0].staged_words = 8;
    EXPECT_EQ(made.first(),
              "race: step 1 reads shared word 0 of value 0 that another thread wrote since the last barrier");
    EXPECT_EQ(made.barrier(1).first(), "");
}

TEST(Verify, FindsThreadsThatAStepDoesNotHave) {
    Made made(blocked(4, 2), blocked(2, 4));
    made.schedule.steps[1].block = {2, 1, 1};
    EXPECT_EQ(made.first(), "step 1 runs on threads that it does not have");
    made.schedule.steps[1].guard_threads = true;
    EXPECT_EQ(made.barrier(1).first(), "");
}

TEST(Verify, EndsAfterTenFindings) {
    EXPECT_EQ(verify(Made(blocked(4, 2), everything(4, 2)).schedule).size(), 8U);  // one a word
    Made made(blocked(4, 2), everything(4, 100));
    EXPECT_EQ(verify(made.schedule).size(), 10U);
}

}  // namespace
}  // namespace kasc::test::verified
