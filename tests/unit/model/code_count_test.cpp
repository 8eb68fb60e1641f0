// How much code a kernel's cells are, and what it costs where the cache of instructions does not hold it.
#include "model/field/code_count.hpp"

#include <gtest/gtest.h>

#include "model/prediction.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"
#include "support/temporary.hpp"

namespace kasc::model {
namespace {

using test::FieldCase;

double counted(const std::string& text) {
    const FieldCase c(text);
    const FieldWorkResult work = field_work(c.program, c.graph, c.whole());
    if (!work.value) throw std::runtime_error(work.reason);
    StatementCosts costs;
    return code_count(*work.value, costs);
}

TEST(CodeCount, WhatIsComputedAlikeStandsThereOnce) {
    const std::string d = "(u[1] - u)", weight = "exp(-0.5 - " + d + "*" + d + ")";
    const std::string fields = "float u[x] boundary mirror, a[x], b[x]; input u; ";
    // A difference, a sum with its product, exp.
    EXPECT_EQ(counted(fields + "b = " + weight + "; return b;"), 14);
    EXPECT_EQ(counted(fields + "a = " + weight + "*u[1]; return a;"), 15);
    EXPECT_EQ(counted(fields + "a = " + weight + "*u[1]; b = " + weight + "; return a, b;"), 15);
    EXPECT_EQ(counted(fields + "a = " + weight + "; b = exp(-0.25 - " + d + "*" + d + "); return a, b;"), 27);
}

TEST(CodeCount, WhatIsComputedAtNeighboursIsCodeOfItsOwn) {
    EXPECT_EQ(
        counted("float u[x] boundary mirror, w[x] boundary mirror, v[x]; input u; w = u*u; v = w[1] - w; return v;"),
        3);
    EXPECT_EQ(counted("float u[x] boundary mirror, v[x]; input u; v = sqrt(u[1]) - sqrt(u) + sqrt(u[1]); return v;"),
              20);
}

TEST(CodeCount, WhatAllCellsShareIsTheHosts) {
    EXPECT_EQ(counted("param float dt = 0.1; param float dx = 2.0; float u[x]; input u; u = u*(dt/(dx*dx)); return u;"),
              1);
    EXPECT_EQ(
        counted(
            "param float dt = 0.1; param float dx = 2.0; float u[x], v[x]; input u; v = u*dt; u = u*dx; return u, v;"),
        2);
    EXPECT_EQ(counted("float u[x], v[x]; input u; v = u*2.0; u = u*2.0; return u, v;"), 1);
}

class Bilateral : public testing::Test {
protected:
    [[nodiscard]] Prediction with(const std::string& plan) const {
        const auto schedule = schedule_field(case_.program, case_.graph, case_.whole(), test::choice(plan));
        if (!schedule.value) throw std::runtime_error(schedule.reason);
        Problem problem;
        problem.extents = {8192, 8192};
        return predict(*schedule.value, case_.program, case_.graph, case_.library, device_, problem);
    }

    Device device_ = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    const FieldCase case_{test::read_file(std::string(KASC_SOURCE_DIR) + "/benchmarks/gpu/stencils/bilateral.kas")};
};

/// 2026-11-23: 861 us and 1057 us, at as many registers; nvcc makes 55 KB and 97 KB of them.
TEST_F(Bilateral, SixteenCellsAThreadAreMoreCodeThanTheCacheHolds) {
    const Prediction two = with("grid 32x4 vector 4 rows 2"), four = with("grid 32x4 vector 4 rows 4");
    EXPECT_EQ(two.code_bytes, 0);
    EXPECT_NEAR(four.code_bytes / 1024, 97, 20);
    EXPECT_NEAR(four.time_ns / two.time_ns, 1057.0 / 861, 0.05);
}

TEST_F(Bilateral, AnyCodeIsHeldWhereTheDeviceDoesNotSay) {
    device_.instruction_cache_bytes = 0;
    const Prediction two = with("grid 32x4 vector 4 rows 2"), four = with("grid 32x4 vector 4 rows 4");
    EXPECT_EQ(four.code_bytes, 0);
    EXPECT_NEAR(four.time_ns / two.time_ns, 1, 0.01);
}

}  // namespace
}  // namespace kasc::model
