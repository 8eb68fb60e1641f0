// What kernels that fold their cells look like; that they compute what they should is tested with random programs.
#include <gtest/gtest.h>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "lower/lower.hpp"
#include "support/field_case.hpp"
#include "support/without_barrier.hpp"

namespace kasc::test {
namespace {

kernel::Kernel fold_kernel(const std::string& statement, bool cpu) {
    const FieldCase c("float u[x,y,z] boundary mirror, v[x], r[], l[x], m[y,z]; input u, v; " + statement +
                      " return r, l, m;");
    const Fusion first = c.fusion(0, 1);
    const FieldScheduler scheduler(c.program, c.graph, first);
    const FieldScheduleResult made = scheduler.with(*scheduler.choice_of_fold(cpu));
    if (!made.value) throw std::runtime_error(made.reason);
    return lower_field(*made.value, c.program, c.graph, "k0").alternatives.front();
}

constexpr const char* rest = " l = v; m = 0;";

TEST(LowerFold, CellsOfWholeFieldsAreReadByTheirNumber) {
    for (const bool cpu : {false, true}) {
        const std::string text = kernel::print(fold_kernel(std::string("r = sum(u*u);") + rest, cpu));
        EXPECT_NE(text.find(cpu ? "u[first + in_part]" : "u[number]"), std::string::npos) << text;
        EXPECT_EQ(text.find('%'), std::string::npos) << text;
    }
}

TEST(LowerFold, NeighboursAlongWhatIsLeftAreReadByNumberToo) {
    for (const bool cpu : {false, true}) {
        const std::string text = kernel::print(fold_kernel("l = sum(u[x - 1], y, z); r = 0; m = 0;", cpu));
        EXPECT_NE(text.find(cpu ? "first + in_part" : "number"), std::string::npos) << text;
        EXPECT_EQ(text.find("y_"), std::string::npos) << text;
        EXPECT_NE(text.find("xm1"), std::string::npos) << text;
    }
}

TEST(LowerFold, CoordinatesAreCarriedWithoutADivisionACell) {
    const std::string text = kernel::print(fold_kernel(std::string("r = sum(u*v);") + rest, false));
    const std::string loop = text.substr(text.find("for at"));
    EXPECT_NE(loop.find("x_over"), std::string::npos) << text;
    EXPECT_EQ(loop.find('%'), std::string::npos) << text;
    EXPECT_EQ(loop.find(" / "), std::string::npos) << text;
}

TEST(LowerFold, KernelsAreWellFormedAndTheirLanesMeetAtBarriers) {
    for (const char* statement :
         {"r = sum(u);", "r = maximum(u[x + 1] - u);", "l = sum(u, y, z);", "m = minimum(u + x, x);",
          "m = sum(u[y - 1], x);", "l = maximum(u[x + 2] - u[x - 1], y, z);"}) {
        const std::string others = std::string(statement[0] == 'r' ? "" : " r = 0;") +
                                   (statement[0] == 'l' ? "" : " l = v;") + (statement[0] == 'm' ? "" : " m = 0;");
        for (const bool cpu : {false, true}) {
            const kernel::Kernel kernel = fold_kernel(statement + others, cpu);
            EXPECT_EQ(kernel::verify(kernel), "");
            EXPECT_TRUE(kernel::check_shared(kernel).empty()) << kernel::check_shared(kernel).front();
            EXPECT_EQ(thread_count(kernel.block), fold_threads);
            const std::vector<kernel::Kernel> broken = without_each_barrier(kernel);
            EXPECT_GE(broken.size(), 3U) << statement;
            for (const kernel::Kernel& k : broken) EXPECT_FALSE(kernel::check_shared(k).empty()) << statement;
        }
    }
}

}  // namespace
}  // namespace kasc::test
