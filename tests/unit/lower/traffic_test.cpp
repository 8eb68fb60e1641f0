// What the model counts of a kernel over fields is what its IR does when it is run: bytes of memory, words through L1
// and shared memory, barriers.
#include <gtest/gtest.h>

#include "model/device/device.hpp"
#include "model/prediction.hpp"
#include "support/choice.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

struct Counted {
    Prediction predicted;
    Traffic run;
};

Device gpu() {
    auto device = read_device("h100", std::filesystem::path(KASC_SOURCE_DIR) / "devices");
    if (!device) throw std::runtime_error(render_text(device.diagnostics));
    return *device;
}

Counted counted(const FieldCase& c, const FieldSchedule& schedule, const std::vector<long long>& extents) {
    kasc::Problem planned;
    planned.extents = extents;
    planned.parameters.assign(c.program.parameters.size(), 1);
    Counted both{predict(schedule, c.program, c.graph, c.library, gpu(), planned), {}};
    Problem problem;
    problem.extents = extents;
    problem.parameters.assign(c.program.parameters.size(), 1);
    const kernel::Lowered lowered =
        lower_field(field_alternatives(schedule, c.program, c.graph), c.program, c.graph, "k0");
    const kernel::Kernel& k = lowered.alternatives[alternative_for(lowered, problem)];
    std::map<ValueId, Cells> cells;
    Interpreter interpreter(k);
    run_kernel(
        interpreter, k, c.program, problem,
        [&](ValueId v) -> Cells& {
            Cells& words = cells[v];
            if (words.empty())
                words.assign(word_count(problem, field_shape(c.program, c.graph.values[v].variable)), 0.5);
            return words;
        },
        [&](ValueId v) { return use_of_output(c.program, c.graph, v); });
    both.run = interpreter.traffic();
    return both;
}

const char* const six_points =
    "float T[x,y,z] boundary mirror, B[x,y,z]; input T, B; "
    "T = T - 0.1f * B * (T[-1,0,0] + T[2,0,0] + T[0,-1,0] + T[0,2,0] + T[0,0,-1] + T[0,0,1]); return T;";
const char* const types =
    "double D[x,y,z] boundary periodic; uint8 m[x,y,z]; float w[z]; float r[x,y,z]; input D, m, w; "
    "r = D[1,0,0] + D[0,-1,0] + m * w; return r;";
const char* const fused =
    "float a[x,y,z] boundary mirror, f[x,y,z] boundary mirror; input a; "
    "f = a[1,0,0] - a; a = a + f - f[-1,0,0]; return a, f;";

const std::vector<std::string> walks{"grid 32x4",
                                     "grid 8x4x2 rows 2",
                                     "grid 8x4 vector 4 borders uniform",
                                     "column 16x4 chunk 8",
                                     "column 8x4 rows 2 chunk 16",
                                     "grid 8x4x4 neighbours shared",
                                     "column 8x4 vector 4 rows 2 chunk 8 neighbours shared",
                                     "flat 64",
                                     "warp 32x1 chunk 8",
                                     "warp 64x1 vector 4 chunk 16"};

TEST(Traffic, OfMemoryIsWhatTheKernelTouches) {
    for (const char* text : std::vector{six_points, types, fused}) {
        const FieldCase c(text);
        for (const std::string& plan : walks) {
            const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice(plan));
            if (!s.value) continue;
            const Counted both = counted(c, *s.value, {32, 16, 16});
            EXPECT_EQ(both.predicted.global_bytes, both.run.read_bytes + both.run.stored_bytes) << plan << "\n" << text;
        }
    }
}

/// Words that pass through shared memory are counted as they lie there, those of all threads of a block.
TEST(Traffic, OfStagedFieldsIsWhatTheKernelTouches) {
    const FieldCase c(
        "axis c = 4; float u[c,x,y], v[c,x,y]; input u; v[c = 0] = u[c = 3] + u[c = 0]; v[c = 1] = u[c = 1]; "
        "v[c = 2] = u[c = 2]*u[c = 1]; v[c = 3] = u[c = 0]; return v;");
    const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice("staged 8x1"));
    ASSERT_TRUE(s.value) << s.reason;
    const Counted both = counted(c, *s.value, {4, 16, 8});
    EXPECT_EQ(both.predicted.global_bytes, both.run.read_bytes + both.run.stored_bytes);
    EXPECT_EQ(both.predicted.barriers, both.run.barriers);
    const double words =
        static_cast<double>(both.run.loads + both.run.stores + both.run.shared_loads + both.run.shared_stores);
    EXPECT_NEAR(both.predicted.shared_bytes / (4 * words), 1, 0.01);
}

TEST(Traffic, BarriersAreThoseThatABlockMeets) {
    const FieldCase c(six_points);
    int met = 0;
    for (const std::string& plan : walks) {
        const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice(plan));
        ASSERT_TRUE(s.value) << plan << s.reason;
        const Counted both = counted(c, *s.value, {32, 16, 32});
        EXPECT_EQ(both.predicted.barriers, both.run.barriers) << plan;
        met += both.run.barriers;
    }
    EXPECT_GT(met, 5);
}

/// The model counts whole groups beside a group and the padding of a tile's rows, and no queue's filling.
TEST(Traffic, ThroughL1AndSharedMemoryIsWhatTheKernelAccesses) {
    for (const char* text : std::vector{six_points, fused}) {
        const FieldCase c(text);
        for (const std::string& plan : walks) {
            const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice(plan));
            ASSERT_TRUE(s.value) << plan << s.reason;
            const Counted both = counted(c, *s.value, {64, 16, 16});
            const bool whole = !s.value->tiles.empty() || s.value->choice.vector > 1;
            const double words = static_cast<double>(both.run.loads + both.run.stores + both.run.shared_loads +
                                                     both.run.shared_stores + both.run.exchanged);
            const double part = both.predicted.shared_bytes / (4 * words);
            EXPECT_GT(part, 0.8) << plan;
            EXPECT_LT(part, whole ? 1.6 : 1.01) << plan;
        }
    }
}

}  // namespace
}  // namespace kasc::test
