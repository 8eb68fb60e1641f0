// What blocks of whole lines are predicted to take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "model/parts.hpp"
#include "schedule/line/schedule.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

/// The best of all choices for so many sums of each of 65536 lines of 8 cells in one kernel, us a sum.
double us_of_a_sum(int sums) {
    std::string declared = "float a[x, y]", text, returned;
    for (int k = 0; k < sums; ++k) {
        declared += fmt::format(", s{}[y]", k);
        text += fmt::format("s{0} = sum({1}*a, x); ", k, k + 1);
        returned += fmt::format("{}s{}", k > 0 ? ", " : "", k);
    }
    const FieldCase c(declared + "; input a; " + text + "return " + returned + ";");
    const LineWorkResult work = line_work(c.program, c.graph, c.whole());
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    Problem problem;
    for (const Axis& axis : c.program.axes)
        problem.extents.push_back(axis.name == "x" ? 8 : axis.name == "y" ? 65536 : 1);
    double best_ns = std::numeric_limits<double>::infinity();
    for (const FieldChoice& choice : line_choices(*work.value))
        if (const LineScheduleResult made = schedule_lines(work.value, choice, {}, c.program, c.graph); made.value)
            best_ns = std::min(best_ns, model::predict_lines(*made.value, c.program, c.graph, device, problem).time_ns);
    return best_ns / 1000 / sums;
}

TEST(LineModel, SumsThatRegistersDoNotHoldAreSpilled) {
    EXPECT_LT(us_of_a_sum(8), 3);
    // 12 us but for what is spilled: 3 kB of each of 8 million threads there and back.
    EXPECT_GT(us_of_a_sum(64), 50);
    EXPECT_LT(us_of_a_sum(64), 500);
}

TEST(LineModel, WordsThatCellsAndLinesReadCountOnce) {
    const FieldCase c("float a[x, y], m[y], s[y]; input a, m; s = sum(a*m, x) + m; return s;");
    const LineWorkResult work = line_work(c.program, c.graph, c.whole());
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    Problem problem;
    for (const Axis& axis : c.program.axes)
        problem.extents.push_back(axis.name == "x" ? 8 : axis.name == "y" ? 65536 : 1);
    int seen = 0;
    for (const FieldChoice& choice : line_choices(*work.value)) {
        const LineScheduleResult made = schedule_lines(work.value, choice, {}, c.program, c.graph);
        if (!made.value) continue;
        ++seen;
        EXPECT_EQ(model::predict_lines(*made.value, c.program, c.graph, device, problem).global_bytes,
                  65536 * (8 + 1 + 1) * 4);
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace kasc::test
