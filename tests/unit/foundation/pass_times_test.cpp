#include "foundation/pass_times.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

TEST(PassTimes, PassesWithinOthersStandBehindThem) {
    const PassWatch watch;
    {
        const Pass plan("plan");
        for (int k = 0; k < 3; ++k) const Pass search("search");
        const Pass select("select");
    }
    { const Pass search("search"); }
    const auto times = watch.times();
    ASSERT_EQ(times.size(), 4U);
    EXPECT_EQ(times[0].name, "plan");
    EXPECT_EQ(times[1].name, "search");
    EXPECT_EQ(times[1].depth, 1);
    EXPECT_EQ(times[1].runs, 3);
    EXPECT_EQ(times[2].name, "select");
    EXPECT_EQ(times[3].name, "search");
    EXPECT_EQ(times[3].depth, 0);
    EXPECT_EQ(times[3].runs, 1);
    EXPECT_GE(times[0].seconds, times[1].seconds + times[2].seconds);
}

TEST(PassTimes, NobodyNeedWatch) {
    { const Pass pass("alone"); }
    const PassWatch watch;
    EXPECT_TRUE(watch.times().empty());
}

}  // namespace
}  // namespace kasc
