#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"
#include "search/fusion_space.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::At;
using test::ProgramBuilder;

const Device& h100() {
    static const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    return device;
}

struct Stencil {
    /// T' = T + β · (13-point star), over `axes`; with or without β.
    Stencil(const std::vector<std::string>& axes, bool beta, int reach) {
        const auto t = b.field("T", axes, 2);
        std::vector<test::Read> reads{{t, {}}};
        std::vector<VariableId> inputs{t};
        if (beta) {
            inputs.push_back(b.field("beta", axes));
            reads.push_back({inputs.back(), {}});
        }
        b.input(inputs);
        for (std::size_t a = 0; a < axes.size(); ++a) {
            for (int i = -reach; i <= reach; ++i) {
                std::vector<At> at(axes.size(), At::offset(0));
                at[a] = At::offset(i);
                if (i != 0) reads.push_back({t, at});
            }
        }
        b.update(t, reads, 30);
        program = b.output({t});
        graph = *build_graph(program).value;
        fusion = enumerate_fusions(program, graph, {}).fusions[FusionId{0}];
    }
    [[nodiscard]] Prediction at(long long extent, const FieldChoice& choice, const Device& device = h100()) const {
        const FieldScheduleResult schedule = schedule_field(program, graph, fusion, choice);
        EXPECT_TRUE(schedule.value) << schedule.reason;
        Problem problem;
        problem.extents.assign(program.axes.size(), extent);
        return predict(*schedule.value, program, graph, b.library, device, problem);
    }
    ProgramBuilder b;
    Program program;
    Graph graph;
    Fusion fusion;
};

double giga_cells(const Prediction& p, double cells) { return cells / p.time_ns; }

constexpr double cube512 = 512.0 * 512 * 512;

TEST(FieldModel, CompulsoryTrafficIsEachFieldOnce) {
    const Stencil s({"x", "y", "z"}, true, 2);
    EXPECT_DOUBLE_EQ(s.at(512, {Walk::grid, 32, 8, 1, 1}).global_bytes, 12 * cube512);
    const Stencil constant({"x", "y", "z"}, false, 2);
    EXPECT_DOUBLE_EQ(constant.at(512, {Walk::grid, 32, 8, 1, 1}).global_bytes, 8 * cube512);
}

TEST(FieldModel, AColumnHoldsItsQueueInRegisters) {
    const Stencil s({"x", "y", "z"}, false, 2);
    FieldChoice rows{Walk::column, 16, 16, 4, 4};
    rows.rows = 2;
    // Two rows of four cells in four planes, beside what is loaded: ptxas (13.0) takes 80.
    EXPECT_NEAR(s.at(512, rows).registers, 80, 10);
}

/// Measured on one H100, 512³, β per voxel: 151 to 185 GCell/s without streaming, 203 streamed along z in fours. The
/// model is right when it is within 25 %.
TEST(FieldModel, NearWhatWasMeasured) {
    const Stencil s({"x", "y", "z"}, true, 2);
    EXPECT_NEAR(giga_cells(s.at(512, {Walk::grid, 32, 4, 1, 1}), cube512), 170, 0.25 * 170);
    EXPECT_NEAR(giga_cells(s.at(512, {Walk::column, 32, 8, 4, 64}), cube512), 203, 0.25 * 203);
    const Stencil flat({"x", "y"}, false, 1);
    const double cells = 14400.0 * 14400;
    EXPECT_NEAR(giga_cells(flat.at(14400, {Walk::grid, 256, 1, 1, 1}), cells), 260, 0.25 * 260);
}

/// A 5-point stencil in single cells: five loads and a store pass L1 as words of their own; a warp loads one, takes two
/// from other threads and has two threads of 32 that compute nothing: (1 + 2) · 32 / 30 + 1 words a cell. 3840 cells
/// are 32 blocks of 4 · 30, and 8 of 4 · 120.
TEST(FieldModel, AWarpPassesL1ForEachWordOnceAndForEachShuffle) {
    const Stencil s({"x", "y"}, false, 1);
    const double cells = 3840.0 * 3840;
    const auto words = [&](const FieldChoice& choice) { return s.at(3840, choice).shared_bytes / 4 / cells; };
    EXPECT_DOUBLE_EQ(words({Walk::grid, 128, 1, 1, 1}), 6);
    EXPECT_DOUBLE_EQ(words({Walk::warp, 128, 1, 1, 16}), 3 * 32.0 / 30 + 1);
    // One word of a group of four crosses to each side.
    EXPECT_DOUBLE_EQ(words({Walk::warp, 128, 1, 4, 16}), (1 + 2.0 / 4) * 32 / 30 + 1);
}

TEST(FieldModel, AWarpHasOneWaveOfRowsMoreThanItsThreadsCompute) {
    const Stencil s({"x", "y"}, false, 1);
    // 4 warps of 30 cells each, 16 rows: ceil(4096 / 120) * 256 blocks of 128 threads.
    const Prediction p = s.at(4096, {Walk::warp, 128, 1, 1, 16});
    const double resident = h100().multiprocessors * p.occupancy * h100().max_threads_per_multiprocessor / 128;
    EXPECT_NEAR(p.waves, 35 * 256 / resident, 1e-9);
    EXPECT_DOUBLE_EQ(p.global_bytes, 8 * 4096.0 * 4096);
}

TEST(FieldModel, PlanesThatDoNotFitL2AreReadAgain) {
    const Stencil s({"x", "y", "z"}, false, 2);
    const FieldChoice choice{Walk::grid, 32, 8, 1, 1};
    Device small = h100();
    small.l2_bytes = 1 << 20;
    EXPECT_GT(s.at(512, choice, small).time_ns, 1.5 * s.at(512, choice).time_ns);
}

/// Rows of 64 cells, so that every warp holds an end and takes the edge path as well: neighbours there have a mapped
/// place each, the cell's own words and stores none.
TEST(FieldModel, OnlyWordsBesideTheCellHaveAMappedPlace) {
    const auto arithmetic = [](bool above, bool own) {
        ProgramBuilder b;
        const auto t = b.field("T", {"x", "y"}), a = b.field("a", {"x", "y"});
        b.input({t, a});
        std::vector<test::Read> reads{{t, {At::offset(-1), At::offset(0)}}, {t, {At::offset(1), At::offset(0)}}};
        if (above) reads.push_back({t, {At::offset(0), At::offset(1)}});
        if (own) reads.push_back({a, {}});
        b.update(t, reads, 30);
        const Program program = b.output({t});
        const Graph graph = *build_graph(program).value;
        const Fusion fusion = enumerate_fusions(program, graph, {}).fusions[FusionId{0}];
        const auto schedule = schedule_field(program, graph, fusion, {Walk::grid, 32, 8, 1, 1});
        EXPECT_TRUE(schedule.value) << schedule.reason;
        const Problem problem{0, {64, 1 << 20}, {}};
        return predict(*schedule.value, program, graph, b.library, h100(), problem).arithmetic_ns;
    };
    const double with_none = arithmetic(false, false);
    EXPECT_GT(arithmetic(true, false) - with_none, 4 * (arithmetic(false, true) - with_none));
}

std::string choice_shown(const FieldChoice& c) {
    return fmt::format("walk {} {}x{}x{} vector {} rows {} chunk {} unroll {} neighbours {} borders {}",
                       static_cast<int>(c.walk), c.threads_x, c.threads_y, c.threads_z, c.vector, c.rows, c.chunk,
                       c.unroll, static_cast<int>(c.neighbours), static_cast<int>(c.borders));
}

/// Whatever was predicted before: choices share what none of them changes.
TEST(FieldModel, AChoiceHasOnePrediction) {
    for (const std::vector<std::string>& axes : {std::vector<std::string>{"x", "y"}, {"x", "y", "z"}}) {
        const Stencil s(axes, true, 1);
        const Problem problem{0, std::vector<long long>(axes.size(), 512), {}};
        const FieldScheduler scheduler(s.program, s.graph, s.fusion);
        FieldSchedule schedule = scheduler.open();
        model::StatementCosts costs;
        FieldPredictor predictor(schedule, s.program, s.graph, h100(), problem, costs);
        for (const bool again : {false, true}) {
            for (const FieldChoice& choice : field_choices({scheduler.axes(), false})) {
                if (!scheduler.choose(choice, schedule).empty()) continue;
                const Prediction shared = predictor.of(schedule);
                const Prediction alone = s.at(512, choice);
                ASSERT_EQ(shared.time_ns, alone.time_ns) << choice_shown(choice) << (again ? ", again" : "");
                ASSERT_EQ(shared.shared_bytes, alone.shared_bytes) << choice_shown(choice);
                ASSERT_EQ(shared.registers, alone.registers) << choice_shown(choice);
                ASSERT_LT(predictor.at_least(choice), alone.time_ns) << choice_shown(choice);
            }
        }
    }
}

TEST(FieldModel, ABroadcastFieldIsSmall) {
    ProgramBuilder b;
    const auto a = b.field("a", {"x"}), u = b.field("u", {"x", "y"});
    b.input({a});
    b.update(u, {{a, {}}});
    const Program program = b.output({u});
    const Graph graph = *build_graph(program).value;
    const Fusion fusion = enumerate_fusions(program, graph, {}).fusions[FusionId{0}];
    const auto schedule = schedule_field(program, graph, fusion, {Walk::grid, 256, 1, 1, 1});
    ASSERT_TRUE(schedule.value) << schedule.reason;
    const Problem problem{0, {1000, 2000}, {}};
    EXPECT_DOUBLE_EQ(predict(*schedule.value, program, graph, b.library, h100(), problem).global_bytes,
                     4 * (1000 + 2e6));
}

TEST(FieldModel, RowsOnACpuAreBoundByItsMemory) {
    const Stencil s({"x", "y", "z"}, false, 2);
    const Device cpu = *read_device("cpu", std::string(KASC_SOURCE_DIR) + "/devices").value;
    const Prediction p = s.at(256, {Walk::row, 4096, 1, 1, 1}, cpu);
    EXPECT_GE(p.time_ns, 8.0 * 256 * 256 * 256 / cpu.copy_gb_s);
    EXPECT_LT(p.time_ns, 1e10);
}

/// Five planes of a tile of 16 rows are 20 × 1024 × 4 × 5 bytes, 400 KiB: half of a core's 1 MiB holds them, half of
/// 512 KiB those of 8 rows, 240 KiB.
TEST(FieldModel, TilesOfACpuStayInTheCacheOfACore) {
    const Stencil s({"x", "y", "z"}, true, 2);
    Device cpu = *read_device("cpu", std::string(KASC_SOURCE_DIR) + "/devices").value;
    const auto best_rows = [&] {
        int rows = 0;
        double least = 1e300;
        for (const FieldChoice& choice : field_choices({3, true})) {
            const double time = s.at(512, choice, cpu).time_ns;
            if (time < least) rows = choice.threads_y;
            least = std::min(least, time);
        }
        return rows;
    };
    EXPECT_EQ(best_rows(), 16);
    cpu.core_cache_bytes = 1 << 19;
    EXPECT_EQ(best_rows(), 8);
    const double tiled = s.at(512, {Walk::row, 1024, 16, 1, 1}, cpu).time_ns;
    cpu.core_cache_bytes = 1 << 20;
    EXPECT_LT(1.2 * s.at(512, {Walk::row, 1024, 16, 1, 1}, cpu).time_ns, tiled);
}

TEST(PlannedProblem, ExtentsFollowTheLargestField) {
    const Stencil cube({"x", "y", "z"}, false, 1), square({"x", "y"}, false, 1);
    EXPECT_EQ(planned_problem(cube.program).extents, (std::vector<long long>{256, 256, 256}));
    EXPECT_EQ(planned_problem(square.program).extents, (std::vector<long long>{4096, 4096}));
}

TEST(PlannedProblem, AnAxisThatOnlyLoopsIndexHasItsFallback) {
    for (const bool known : {true, false}) {
        ProgramBuilder b;
        const auto v = b.field("v", {"x"}), rec = b.field("rec", {"x", "t"});
        b.input({v});
        b.update(rec, {{v, {}}}, 1, {At::offset(0), At::absolute(ProgramBuilder::literal(0))});
        Program program = b.output({rec});
        if (known) program.axes[AxisId{1}].fallback_extent = ProgramBuilder::literal(500);
        EXPECT_EQ(planned_problem(program).extents, (std::vector<long long>{4096, known ? 500 : 100}));
    }
}

}  // namespace
}  // namespace kasc
