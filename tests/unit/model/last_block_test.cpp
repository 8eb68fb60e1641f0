// What a kernel takes that the last block of another goes on with, on paper.
#include "model/field/last_block.hpp"

#include <gtest/gtest.h>

#include "search/set_rules.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

TEST(LastBlockTime, IsAWaitForTheCountAndOneForEachFurtherRound) {
    const FieldCase c("float u[x], s[], t[]; input u; s = sum(u); t = 2*s; return s, t;");
    const auto device = read_device("h100", KASC_SOURCE_DIR "/devices");
    ASSERT_TRUE(device);
    const double at_once = device->multiprocessors * 8.0;  // blocks of 256 threads
    const auto launch_ns = [&](std::uint32_t node, double blocks, KernelLaunch launch) {
        const FieldScheduler scheduler(c.program, c.graph, FusionMaker(c.graph).of({node}));
        FieldChoice choice = scheduler.choice_of_fold(false).value_or(cell_by_cell(0));
        choice.launch = launch;
        GivenSizes sizes;
        sizes.extents[AxisId{0}] = static_cast<long long>(blocks) * 4096;
        Prediction launched;
        launched.launch_ns = 2000, launched.time_ns = 7000;
        const Prediction made =
            model::run_as_chosen(launched, *scheduler.with(choice).value, *device, planned_problem(c.program, sizes));
        EXPECT_DOUBLE_EQ(made.time_ns - made.launch_ns, 5000);
        return made.launch_ns;
    };
    const double wait_ns = 2 * device->memory_latency_ns;
    EXPECT_DOUBLE_EQ(launch_ns(1, 64, KernelLaunch::own), 2000);
    EXPECT_DOUBLE_EQ(launch_ns(1, 64, KernelLaunch::last), wait_ns);
    EXPECT_DOUBLE_EQ(launch_ns(1, at_once, KernelLaunch::last), wait_ns);
    EXPECT_DOUBLE_EQ(launch_ns(1, 3 * at_once, KernelLaunch::last), 3 * wait_ns);
    EXPECT_DOUBLE_EQ(launch_ns(2, 3 * at_once, KernelLaunch::last), wait_ns) << "a number has no parts";
}

}  // namespace
}  // namespace kasc::test
