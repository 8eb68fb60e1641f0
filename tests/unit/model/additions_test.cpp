// What additions to few cells take, in memory and in copies of the cells.
#include <gtest/gtest.h>

#include "model/prediction.hpp"
#include "schedule/field/schedule.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

Prediction predicted(const std::string& plan, long long cells) {
    const FieldCase c("int at[p], h[k]; input at, h; h[k = at] += 1; return h;");
    const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice(plan));
    if (!s.value) throw std::runtime_error(s.reason);
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    Problem problem;
    for (const Axis& axis : c.program.axes) problem.extents.push_back(axis.name == "p" ? 1 << 26 : cells);
    return predict(*s.value, c.program, c.graph, {}, device, problem);
}

/// Measured (benchmarks/results/2026-11-25-h100-scatter.md): 17.3 and 0.97 ms.
TEST(AdditionsModel, InMemoryTheyWaitForEachOtherWhereCellsAreFew) {
    EXPECT_NEAR(predicted("grid 256x1", 256).time_ns, 17.3e6, 1e6);
    EXPECT_NEAR(predicted("grid 256x1", 1 << 16).time_ns, 0.97e6, 0.1e6);
}

/// 2^26 numbers of 4 bytes are read in 0.094 ms.
TEST(AdditionsModel, InCopiesTheyTakeWhatIsRead) {
    const Prediction p = predicted("histogram 512x1 vector 4 chunk 16 unroll 4", 256);
    EXPECT_LT(p.time_ns, 0.12e6);
    EXPECT_EQ(p.barriers, 2);
    EXPECT_EQ(p.blocks, 2048);
    EXPECT_EQ(p.shared_bytes_per_block, 32768);
}

/// 8192 words are 32 copies of 256 cells, which no two threads of a warp share, or four of 2048. Each entry is two
/// passes of a warp's access; each word is set to zero and read once more.
TEST(AdditionsModel, FewerCopiesMeetInBanks) {
    const char* plan = "histogram 512x1 vector 4 chunk 64 unroll 4";
    const auto lines = [&](long long cells) { return predicted(plan, cells).shared_bytes / 128; };
    const double entries = (1 << 26) / 32.0, words = 512.0 * 2 * 8192 / 32;
    EXPECT_NEAR(lines(256) - lines(512), entries * 2 * (1 - 1.8), 1);
    EXPECT_GT(lines(256), entries * 2 + words);
}

}  // namespace
}  // namespace kasc::test
