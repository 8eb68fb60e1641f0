#include "runtime/progress/report.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kasc::runtime {
namespace {

class ProgressReportTest : public testing::Test {
protected:
    ProgressReport report(ReportForm form, long long begun = 0) {
        return {form,
                {ProgressDisplay::Style::lines, 80, [this](const std::string& text) { written_.push_back(text); },
                 [this] { return now_; }},
                begun};
    }
    /// Runs in pieces that end where a line is due; which steps those were.
    std::vector<long long> run(ProgressReport& lines, long long begun, long long total) {
        std::vector<long long> steps;
        for (long long done = begun; done < total;) {
            const long long to = lines.due(done, total);
            now_ += 0.5 * static_cast<double>(to - done);
            lines.update(done = to, total);
            steps.push_back(done);
        }
        return steps;
    }
    double now_ = 100;
    std::vector<std::string> written_;
};

TEST_F(ProgressReportTest, HasALineAfterTheFirstStepAndAtEveryShare) {
    ProgressReport lines = report({25});
    EXPECT_EQ(run(lines, 0, 60), (std::vector<long long>{1, 15, 30, 45, 60}));
    EXPECT_EQ(written_, (std::vector<std::string>{"  1%  1 of 60 steps, 0:01 elapsed, 0:30 to go\n",
                                                  " 25%  15 of 60 steps, 0:08 elapsed, 0:23 to go\n",
                                                  " 50%  30 of 60 steps, 0:15 elapsed, 0:15 to go\n",
                                                  " 75%  45 of 60 steps, 0:23 elapsed, 0:08 to go\n",
                                                  "100%  60 of 60 steps, 0:30 elapsed, 0:00 to go\n"}));
}

TEST_F(ProgressReportTest, SharesThatAreNoWholeStepsAreRoundedUp) {
    ProgressReport lines = report({30});
    EXPECT_EQ(run(lines, 0, 7), (std::vector<long long>{1, 3, 5, 7}));  // 2.1, 4.2, 6.3
    EXPECT_EQ(written_[1].substr(0, 4), " 42%");
    ProgressReport each = report({1});
    EXPECT_EQ(run(each, 0, 3).size(), 3U);
    ProgressReport tenth = report({0.1});
    EXPECT_EQ(run(tenth, 0, 1000).size(), 1000U) << "k times a thousandth is no whole number in binary";
}

TEST_F(ProgressReportTest, StepsBeforeTheFirstIterationCount) {
    ProgressReport lines = report({50, 1});
    EXPECT_EQ(run(lines, 0, 59), (std::vector<long long>{1, 29, 59}));
    EXPECT_EQ(written_[1].substr(0, 19), " 50%  30 of 60 step");
}

TEST_F(ProgressReportTest, ARunThatGoesOnHasItsOwnRate) {
    ProgressReport lines = report({25}, 25);
    EXPECT_EQ(run(lines, 25, 60), (std::vector<long long>{26, 30, 45, 60}));
    EXPECT_EQ(written_[1], " 50%  30 of 60 steps, 0:03 elapsed, 0:15 to go\n");
}

TEST_F(ProgressReportTest, PiecesThatEndElsewhereTellNothingTwice) {
    ProgressReport lines = report({10});
    for (long long done = 7; done <= 100; done += 7) lines.update(done, 100);
    for (int i = 0; i < 3; ++i) lines.update(98, 100);
    EXPECT_EQ(written_.size(), 10U);  // 7 14 21 35 42 56 63 70 84 91: the first at or behind each share
}

}  // namespace
}  // namespace kasc::runtime
