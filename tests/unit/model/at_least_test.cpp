// What is known of a choice before there is a schedule: enough to leave most of them out.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"
#include "schedule/field/schedule.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc {
namespace {

struct Known {
    std::size_t choices = 0, slower = 0;  ///< of which it is known that they are slower than the best
};

/// Over cells of a cube, or a square.
Known known_of(const std::string& text, std::size_t axes) {
    const test::FieldCase c(text);
    Problem problem;
    problem.extents.assign(axes, axes == 2 ? 8192 : 512);
    const FieldScheduler scheduler(c.program, c.graph, c.whole());
    FieldSchedule schedule = scheduler.open();
    model::StatementCosts costs;
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    FieldPredictor predictor(schedule, c.program, c.graph, device, problem, costs);
    double best_ns = 1e30;
    std::vector<double> at_least;
    for (const FieldChoice& choice : field_choices(axes, false)) {
        at_least.push_back(predictor.at_least(choice));
        if (!scheduler.choose(choice, schedule).empty()) continue;
        const double ns = predictor.of(schedule).time_ns;
        EXPECT_LT(at_least.back(), ns) << print(Choice(choice));
        best_ns = std::min(best_ns, ns);
    }
    const auto slower = std::count_if(at_least.begin(), at_least.end(), [&](double ns) { return ns > best_ns; });
    return {at_least.size(), static_cast<std::size_t>(slower)};
}

TEST(AtLeast, HalfOfTheChoicesOfKernelsBoundByMemoryAreKnownToBeSlower) {
    const Known plane = known_of(
        "float a[x, y], b[x, y], c[x, y], d[x, y], e[x, y], f[x, y], s[x, y]; input a, b, c, d, e, f; "
        "s = a + b + c + d + e + f; return s;",
        2);
    EXPECT_GE(2 * plane.slower, plane.choices);
    const Known cube = known_of(
        "float a[x, y, z] boundary mirror, b[x, y, z], c[x, y, z], d[x, y, z], s[x, y, z]; input a, b, c, d; "
        "s = a[x - 1] + a[x + 1] + a[y - 1] + a[y + 1] + b + c + d; return s;",
        3);
    EXPECT_GE(2 * cube.slower, cube.choices);
}

/// Cells take longer than their bytes do, and not the best of them is known to be slower than itself.
TEST(AtLeast, CountsWhatAThreadOfOneCellComputes) {
    const Known k = known_of(
        "float a[x, y], s[x, y]; input a; s = sin(a)*exp(a)*tan(a)*log(a)*pow(a, 1.3)*atan(a)*cosh(a)*erf(a); "
        "return s;",
        2);
    EXPECT_LT(k.slower, k.choices);
}

}  // namespace
}  // namespace kasc
