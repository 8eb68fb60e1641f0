// The bytes that the model predicts for every kernel over fields in the plans of the programs that come with kasc are
// those that the kernel moves when it is run. Where boundaries keep layers, fewer cells are stored than the model says.
#include <gtest/gtest.h>

#include "unit/driver/example_kernels.hpp"

namespace kasc::test {
namespace {

TEST(ExampleTraffic, IsWhatTheModelPredicts) {
    std::size_t exact = 0;
    for (const ExampleKernel& k : example_kernels()) {
        const double part = (k.traffic.read_bytes + k.traffic.stored_bytes) / k.predicted.global_bytes;
        if (part == 1) ++exact;
        EXPECT_GT(part, 0.5) << k.name;
        EXPECT_LE(part, 1.1) << k.name;
    }
    EXPECT_GT(example_kernels().size(), 40u);
    EXPECT_GT(exact, example_kernels().size() / 3);
}

}  // namespace
}  // namespace kasc::test
