#include "runtime/progress/progress.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <vector>

#include "runtime/processes/interrupt.hpp"

namespace kasc::runtime {
namespace {

class ProgressTest : public testing::Test {
protected:
    ProgressDisplay display(ProgressDisplay::Style style) {
        return {"heat",
                {style, 80, [this](const std::string& text) { written_.push_back(text); }, [this] { return now_; }}};
    }
    double now_ = 100;
    std::vector<std::string> written_;
};

TEST_F(ProgressTest, BarTellsShareRateAndTimeToGo) {
    EXPECT_EQ(progress_line({"heat", 250, 1000, 1.0}, 80),
              "heat [######.....................]  25% 250/1000 steps, 250 steps/s, 0:03 to go");
    EXPECT_EQ(progress_line({"batch", 5, 20, 1.0, 0, "", "programs"}, 60),
              "batch  25% 5/20 programs, 5.00 programs/s, 0:03 to go");
    EXPECT_EQ(progress_line({"heat", 0, 1000, 0}, 60), "heat [..................................]   0% 0/1000 steps");
}

TEST_F(ProgressTest, ARunThatGoesOnHasItsOwnRate) {
    EXPECT_EQ(progress_line({"heat", 750, 1000, 1.0, 500}, 60).substr(0, 4), "heat");
    EXPECT_NE(progress_line({"heat", 750, 1000, 1.0, 500}, 80).find("75% 750/1000 steps, 250 steps/s, 0:01 to go"),
              std::string::npos);
    EXPECT_EQ(progress_line({"heat", 500, 1000, 1.0, 500}, 80).find("to go"), std::string::npos);
}

TEST_F(ProgressTest, NarrowTerminalsAreNotOverrun) {
    for (const int columns : {0, 1, 10, 40, 60, 200}) {
        EXPECT_LE(progress_line({"heat", 7, 9, 1}, columns).size(), static_cast<std::size_t>(std::max(columns - 1, 1)));
    }
}

TEST_F(ProgressTest, OddNumbersAreSafe) {
    EXPECT_NE(progress_line({"heat", 5, 0, 1}, 80).find("100%"), std::string::npos);
    EXPECT_NE(progress_line({"heat", -5, 10, 1}, 80).find("0%"), std::string::npos);
    EXPECT_EQ(duration_text(-1), "0:00");
    EXPECT_EQ(duration_text(62), "1:02");
    EXPECT_EQ(duration_text(12000), "3:20:00");
    EXPECT_FALSE(duration_text(1e300).empty());
}

TEST_F(ProgressTest, ShortRunsAreQuietInALog) {
    ProgressDisplay lines = display(ProgressDisplay::Style::lines);
    for (int i = 1; i <= 100; ++i) {
        now_ += 0.019;
        lines.update(i, 100);
    }
    lines.finish();
    EXPECT_TRUE(written_.empty());
}

TEST_F(ProgressTest, LongRunsGiveALineATenth) {
    ProgressDisplay lines = display(ProgressDisplay::Style::lines);
    for (int i = 1; i <= 1000; ++i) {
        now_ += 1;
        lines.update(i, 1000);
    }
    ASSERT_EQ(written_.size(), 10U);
    EXPECT_EQ(written_[4], "heat  50% 500/1000 steps, 1.00 steps/s, 8:20 to go\n");
}

TEST_F(ProgressTest, ALogIsNotSilentForDays) {
    ProgressDisplay lines = display(ProgressDisplay::Style::lines);
    for (int i = 1; i <= 100; ++i) {
        now_ += 100;
        lines.update(i, 100000);
    }
    EXPECT_EQ(written_.size(), 33U);
}

TEST_F(ProgressTest, ABarIsRedrawnAtMostTenTimesASecond) {
    ProgressDisplay bar = display(ProgressDisplay::Style::bar);
    for (int i = 1; i <= 1000; ++i) {
        now_ += 0.002;
        bar.update(i, 1000);
    }
    bar.finish();
    EXPECT_GE(written_.size(), 15U);
    EXPECT_LE(written_.size(), 22U);
    EXPECT_EQ(written_.front().front(), '\r');
    EXPECT_NE(written_[written_.size() - 2].find("100%"), std::string::npos);
    EXPECT_EQ(written_.back(), "\n");
}

TEST_F(ProgressTest, ABarDoesNotFlashUpForAMoment) {
    ProgressDisplay bar = display(ProgressDisplay::Style::bar);
    bar.update(1, 2);
    bar.update(2, 2);
    bar.finish();
    EXPECT_TRUE(written_.empty());
}

TEST_F(ProgressTest, InterruptIsNotedOnceAndSaid) {
    testing::internal::CaptureStderr();
    {
        const InterruptWatch watch;
        EXPECT_FALSE(watch.interrupted());
        std::raise(SIGINT);
        EXPECT_TRUE(watch.interrupted());
        struct sigaction now {};
        sigaction(SIGINT, nullptr, &now);
        EXPECT_EQ(now.sa_handler, SIG_DFL) << "the second Ctrl-C ends the process";
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "\nstopping after this step (Ctrl-C again: at once)\n");
    const InterruptWatch again;
    EXPECT_FALSE(again.interrupted());
}

}  // namespace
}  // namespace kasc::runtime
