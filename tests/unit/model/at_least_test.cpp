// What is known of a choice before there is a schedule: enough to leave most of them out.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"
#include "schedule/field/schedule.hpp"
#include "schedule/pipeline/schedule.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc {
namespace {

struct Known {
    std::size_t choices = 0, slower = 0;  ///< of which it is known that they are slower than the best
};

enum class Loads { known, unknown };

/// Over cells of a cube, or a square.
Known known_of(const std::string& text, std::size_t axes, Loads loads = Loads::unknown) {
    const test::FieldCase c(text);
    Problem problem;
    problem.extents.assign(axes, axes == 2 ? 8192 : 512);
    const FieldScheduler scheduler(c.program, c.graph, c.whole());
    FieldSchedule schedule = scheduler.open();
    if (loads == Loads::known) {
        EXPECT_EQ(scheduler.choose(cell_by_cell(axes), schedule), "");
    }
    model::StatementCosts costs;
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    FieldPredictor predictor(schedule, c.program, c.graph, device, problem, costs);
    double best_ns = 1e30;
    std::vector<double> at_least;
    for (const FieldChoice& choice : field_choices({axes, false})) {
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

/// Threads wait for each load behind the slow path of a root, the longer the fewer of them are resident.
TEST(AtLeast, CountsWaitsAndRegistersOfWhatAThreadLoads) {
    const std::string text =
        "float a[x, y] boundary mirror, b[x, y] boundary mirror, r[x, y], s[x, y], t[x, y]; input a, b; "
        "r = sqrt(a); s = r + a[x - 1] + a[x + 1] + a[y - 1] + a[y + 1] + b[x - 1] + b[x + 1] + b[y - 1] + b[y + 1]; "
        "t = r*(b[x - 2] + b[x + 2] + b[y - 2] + b[y + 2]); return s, t;";
    const Known less = known_of(text, 2), more = known_of(text, 2, Loads::known);
    EXPECT_GT(more.slower, less.slower);
    EXPECT_GE(2 * more.slower, more.choices);
}

/// Statements that are computed again at other cells, walked in every way.
TEST(AtLeast, IsNoMoreThanWhatIsMadeAgainTakes) {
    (void)known_of(
        "float a[x, y, z] boundary mirror, f[x, y, z] boundary mirror, s[x, y, z]; input a; f = a[x + 1]/a - a[y + 1]; "
        "s = f - f[x - 1] + exp(f[y + 1]) + f[z + 1]; return s;",
        3, Loads::known);
    (void)known_of(
        "double a[x, y] boundary mirror, f[x, y] boundary mirror, s[x, y]; input a; f = a[x + 1]/a - a[y + 1]; "
        "s = f - f[x - 1] + exp(f[y + 1]); return s;",
        2, Loads::known);
}

/// Without its steps a pipeline has as many blocks in as many waves, and is no slower.
TEST(AtLeast, OfAPipelineIsKnownFromItsPlanes) {
    const test::FieldCase c(
        "float a[x, y, z] boundary mirror, f[x, y, z] boundary mirror, s[x, y, z]; input a; f = a[x + 1]/a - a[y + 1]; "
        "s = f - f[x - 1] + exp(f[y + 1]) + f[z + 1]; return s;");
    Problem problem;
    problem.extents.assign(3, 512);
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
    ASSERT_TRUE(work.value) << work.reason;
    model::StatementCosts costs;
    const PipelinePredictor predictor(*work.value, c.program, c.graph, device, problem, costs);
    PipelineScheduler scheduler(work.value, c.program, c.graph, device.max_dynamic_shared_bytes_per_block);
    std::size_t made = 0;
    for (const FieldChoice& choice : pipeline_choices(*work.value)) {
        const PipelineScheduleResult open = scheduler.open(choice), whole = scheduler.with(choice);
        ASSERT_EQ(open.value.has_value(), whole.value.has_value()) << print(Choice(choice));
        ASSERT_EQ(open.reason, whole.reason);
        if (!open.value) continue;
        const Prediction at_least = predictor.at_least(*open.value), priced = predictor.of(*whole.value);
        EXPECT_LE(at_least.time_ns, priced.time_ns) << print(Choice(choice));
        EXPECT_GE(at_least.time_ns, 0.5 * priced.time_ns) << print(Choice(choice));
        EXPECT_EQ(at_least.waves, priced.waves);
        EXPECT_EQ(at_least.blocks, priced.blocks);
        ++made;
    }
    EXPECT_GT(made, 20U);
}

}  // namespace
}  // namespace kasc
