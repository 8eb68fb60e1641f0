// Quotas of control groups of both versions.
#include "foundation/quota.hpp"

#include <gtest/gtest.h>

#include "support/temporary.hpp"

namespace kasc {
namespace {

TEST(Quota, OfAGroupAndThoseAroundIt) {
    const test::Temporary here;
    const auto groups = here.path() / "groups", member = here.path() / "cgroup";
    test::write_file(member, "0::/slice/box\n");
    EXPECT_EQ(cores_of_quota(member, groups), std::nullopt);
    test::write_file(groups / "slice/box/cpu.max", "max 100000\n");
    EXPECT_EQ(cores_of_quota(member, groups), std::nullopt);
    test::write_file(groups / "slice/cpu.max", "450000 100000\n");
    EXPECT_EQ(cores_of_quota(member, groups), 5);
    test::write_file(groups / "slice/box/cpu.max", "50000 100000\n");
    EXPECT_EQ(cores_of_quota(member, groups), 1);
    test::write_file(groups / "cpu.max", "10000 100000\n");
    EXPECT_EQ(cores_of_quota(member, groups), 1);
    EXPECT_EQ(cores_of_quota(here.path() / "none", groups), std::nullopt);
}

TEST(Quota, OfTheFirstVersion) {
    const test::Temporary here;
    const auto groups = here.path() / "groups", member = here.path() / "cgroup";
    test::write_file(member, "5:memory:/box\n4:cpu,cpuacct:/box\n0::/\n");
    test::write_file(groups / "cpu/box/cpu.cfs_quota_us", "-1\n");
    test::write_file(groups / "cpu/box/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cores_of_quota(member, groups), std::nullopt);
    test::write_file(groups / "cpu/box/cpu.cfs_quota_us", "200000\n");
    EXPECT_EQ(cores_of_quota(member, groups), 2);
}

}  // namespace
}  // namespace kasc
