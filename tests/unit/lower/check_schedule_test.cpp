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
        schedule.shape = {4, 1, 1};
        schedule.threads = 4;
        schedule.values = {{a, ""}, {b, ""}};
        schedule.block.regions = {{"a", Residence::shared, 8}, {"b", Residence::shared, 8}};
        place(0, 0).place(1, 8);
        step({StepKind::copy, "", "", "", {touching(0, written, true)}});
        step({StepKind::compute, "", "", "", {touching(0, read, false)}});
    }
    static block::Touch touching(std::size_t region, const AddressSet& set, bool writes) {
        return {region, 0, writes, std::make_shared<const AddressSet>(set)};
    }
    Made& step(block::Step made) {
        schedule.block.steps.push_back(std::move(made));
        schedule.calls.push_back({{}, 0, {4, 1, 1}});
        return *this;
    }
    Made& place(std::size_t region, int word) {
        schedule.block.regions[region].place = word;
        return *this;
    }
    Made& writing_b(const AddressSet& set) {
        schedule.block.steps[1].touches.push_back(touching(1, set, true));
        return *this;
    }
    /// Step 1 reads nothing.
    Made& without_read() {
        auto& touches = schedule.block.steps[1].touches;
        touches.erase(touches.begin());
        return *this;
    }
    Made& staged() {
        block::Step& load = schedule.block.steps[0];
        load.asynchronous = true;
        load.touches = {{0, 0, true, nullptr, {}, 8}};
        return *this;
    }
    Made& barrier(int before) {
        schedule.block.barriers.push_back({before, true, "", "kept"});
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
    EXPECT_EQ(made.place(1, 0).without_read().first(),
              "writes v1[0], which another thread writes with no barrier between");
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
    made.writing_b(blocked(4, 2)).place(1, 4);
    made.step({StepKind::store, "", "", "", {Made::touching(0, blocked(4, 2), false)}}).barrier(1).barrier(2);
    EXPECT_EQ(made.first(), "reads v0[4], which another thread writes with no barrier between");
    EXPECT_EQ(made.without_read().first(), "reads v0[4], which nothing wrote");  // but as another value
}

TEST(CheckSchedule, FindsACopyThatIsNotAwaited) {
    Made made(blocked(4, 2), blocked(4, 2));
    made.staged().barrier(1);
    EXPECT_EQ(made.first(), "");
    kernel::Kernel k = BareKernel(made.schedule).run();
    auto& round = std::get<kernel::For>(k.body.back().node);
    for (kernel::Statement& s : round.body)
        if (auto* barrier = std::get_if<kernel::Barrier>(&s.node)) barrier->awaits_all_but.reset();
    const std::vector<std::string> findings = kernel::check_shared(k);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front(), "reads v0[0], which a copy may still bring");
}

TEST(CheckSchedule, AStagedCopyIsAThreadThatIsNoOther) {
    Made made(blocked(4, 2), blocked(4, 2));
    EXPECT_EQ(made.staged().first(), "reads v0[0], which another thread writes with no barrier between");
    EXPECT_EQ(made.barrier(1).first(), "");
}

TEST(CheckSchedule, FindsACopyThatDoesNotKnowOfThePadding) {
    StreamScheduleResult made = arrange_stream(one_call(16, 1, TileTransfer::staged));
    ASSERT_TRUE(made.value);
    EXPECT_TRUE(check(*made.value).empty());
    kernel::Kernel broken = BareKernel(*made.value).run();
    auto& round = std::get<kernel::For>(broken.body.back().node);
    std::get<kernel::Stage>(std::get<kernel::Threads>(round.body.front().node).body.front().node).padding = 0;
    EXPECT_FALSE(kernel::check_shared(broken, 1).empty());
}

TEST(CheckSchedule, FindsThreadsThatAStepDoesNotHave) {
    Made made(blocked(4, 2), blocked(2, 4));
    made.schedule.calls[1].shape = {2, 1, 1};
    made.barrier(1);
    EXPECT_EQ(made.first(), "touches v0 by threads that its pattern does not have");
    made.schedule.calls[1].guard_threads = true;
    EXPECT_EQ(made.first(), "");
}

TEST(CheckSchedule, EndsAfterTenFindings) {
    EXPECT_EQ(check(Made(blocked(4, 2), everything(4, 2)).schedule).size(), 8U);  // one a word
    Made made(blocked(4, 2), everything(4, 100));
    EXPECT_EQ(check(made.schedule).size(), 10U);
}

}  // namespace
}  // namespace kasc::test::checked
