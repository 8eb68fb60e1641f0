#include <gtest/gtest.h>

#include "model/device/measured_table.hpp"
#include "model/prediction.hpp"
#include "search/fusion_space.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc {
namespace {

using test::ProgramBuilder;

AddressSet one_thread_an_element(int threads, int words) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t * words);
    for (int w = 0; w < words; ++w) set.offsets.push_back(w);
    return set;
}

/// One call r = f(a) on matrices by hand: load a, call, save r, all in registers or all in shared memory.
struct OneCall : ::testing::Test {
    OneCall() {
        const auto a = b.stream("a", "matrix33"), r = b.stream("r", "matrix33");
        b.input({a});
        b.call(r, "f", {a});
        program = b.output({r});
        graph = *build_graph(program).value;
        device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
        problem.elements = 1 << 21;
    }
    [[nodiscard]] StreamSchedule schedule(Residence where, TileTransfer transfer, int threads = 128) const {
        StreamSchedule s;
        s.fusion = enumerate_fusions(program, graph, {}).fusions[FusionId{0}];
        s.choice = {{0}, threads, 1, transfer, 0};
        s.shape = {threads, 1, 1};
        s.elements = s.threads = threads;
        s.values = {{ValueId{0}, ""}, {ValueId{1}, ""}};
        const auto set = std::make_shared<const AddressSet>(one_thread_an_element(threads, 9));
        const bool shared = where == Residence::shared, staged = transfer == TileTransfer::staged;
        const int words = shared ? 9 * threads : 9;
        s.block.regions = {{"a", where, words}, {"r", where, words}};
        if (shared) s.block.regions[0].place = 0, s.block.regions[1].place = words;
        const auto moved = [&](std::size_t region, bool writes) {
            return staged ? block::Touch{region, 0, writes, nullptr, {}, 9 * threads}
                          : block::Touch{region, 0, writes, set};
        };
        s.block.steps = {{StepKind::copy, "load a", "the load", "loaded", {moved(0, true)}, false, 1, staged},
                         {StepKind::compute, "f", "f", "computed", {{0, 0, false, set}, {1, 0, true, set}}},
                         {StepKind::store, "save r", "the save", "computed", {moved(1, false)}}};
        s.calls = {{NodeId{0}, 0, s.shape}, {NodeId{0}, 0, s.shape}, {NodeId{0}, 0, s.shape}};
        return s;
    }
    [[nodiscard]] Prediction time(const StreamSchedule& s) const {
        return predict(s, program, graph, b.library, device, problem);
    }
    ProgramBuilder b;
    Program program;
    Graph graph;
    Device device;
    Problem problem;
};

TEST_F(OneCall, CompulsoryTrafficIsInputsAndOutputs) {
    const Prediction p = time(schedule(Residence::registers, TileTransfer::author));
    EXPECT_DOUBLE_EQ(p.global_bytes, 2.0 * 9 * 4 * (1 << 21));
    EXPECT_DOUBLE_EQ(p.flops, 18.0 * (1 << 21));
}

TEST_F(OneCall, StagedTilesReachAlmostTheCopyRate) {
    const Prediction p = time(schedule(Residence::shared, TileTransfer::staged));
    const double bound = p.global_bytes / device.copy_gb_s;
    EXPECT_GT(p.time_ns, bound);
    EXPECT_LT(p.time_ns, 1.15 * bound);
}

TEST_F(OneCall, AuthorsLoadsOfFourBytesAreSlowerThanStaged) {
    EXPECT_GT(time(schedule(Residence::shared, TileTransfer::author)).time_ns,
              time(schedule(Residence::shared, TileTransfer::staged)).time_ns);
}

/// A core copies a tile before it computes with it, by instructions; copies into tiles stop at the tile's end.
TEST_F(OneCall, OnACpuComesAfterItsTiles) {
    device = *read_device("cpu", std::string(KASC_SOURCE_DIR) + "/devices").value;
    Function& f = b.library.functions[FunctionId{0}];
    f.implementations.emplace_back();
    const Prediction staged = time(schedule(Residence::shared, TileTransfer::staged));
    const Prediction author = time(schedule(Residence::shared, TileTransfer::author));
    EXPECT_LT(author.arithmetic_ns, staged.arithmetic_ns);
    const double copied_ns = 2.0 * 9 * 4 * (1 << 21) / device.copy_gb_s;
    EXPECT_GE(staged.time_ns, copied_ns + staged.arithmetic_ns);
    // Where each thread touches one word beside the next thread's, the loop over threads is vectorised.
    StreamSchedule words = schedule(Residence::shared, TileTransfer::author);
    for (block::Step& step : words.block.steps)
        for (block::Touch& touch : step.touches)
            touch.words = std::make_shared<const AddressSet>(one_thread_an_element(128, 1));
    EXPECT_LT(2 * time(words).arithmetic_ns, author.arithmetic_ns);
    f.flops *= 10;
    const Prediction busy = time(schedule(Residence::shared, TileTransfer::staged));
    EXPECT_GT(busy.time_ns, 1.5 * staged.time_ns);
    f.implementations[0].compute.text = "{ r[0] = a[0] > 0 ? 1 / a[0] : expf(a[0]); }";
    EXPECT_GT(time(schedule(Residence::shared, TileTransfer::staged)).time_ns, busy.time_ns);
}

TEST_F(OneCall, FewBytesUnderWayAreSlow) {
    EXPECT_GT(time(schedule(Residence::registers, TileTransfer::author, 32)).global_ns,
              time(schedule(Residence::registers, TileTransfer::author, 128)).global_ns);
}

TEST_F(OneCall, RegistersTakeNoSharedMemory) {
    const Prediction p = time(schedule(Residence::registers, TileTransfer::author));
    EXPECT_EQ(p.shared_bytes_per_block, 0);
    EXPECT_GE(p.registers, 18);
    EXPECT_GT(time(schedule(Residence::shared, TileTransfer::author)).shared_bytes, p.shared_bytes);
}

TEST_F(OneCall, BankConflictsCost) {
    StreamSchedule s = schedule(Residence::shared, TileTransfer::staged);
    const double before = time(s).shared_ns;
    AddressSet far = one_thread_an_element(128, 9);
    for (std::int32_t& start : far.start) start = start / 9 * 32;
    s.block.steps[1].touches[0].words = std::make_shared<const AddressSet>(std::move(far));
    EXPECT_GT(time(s).shared_ns, 3 * before);
}

TEST_F(OneCall, BarriersCostLatencyThatResidentBlocksHide) {
    StreamSchedule s = schedule(Residence::shared, TileTransfer::staged);
    const Prediction without = time(s);
    s.block.barriers = {{1, true, "", ""}, {2, false, "", ""}};
    const Prediction with = time(s);
    EXPECT_EQ(with.barriers, 1);
    EXPECT_GT(with.latency_ns, without.latency_ns);
    EXPECT_LT(with.time_ns - without.time_ns, 0.01 * with.time_ns);
}

TEST_F(OneCall, SpilledRegistersAreTraffic) {
    StreamSchedule s = schedule(Residence::registers, TileTransfer::author);
    const double before = time(s).time_ns;
    for (block::Region& region : s.block.regions) region.words = 300;
    EXPECT_EQ(time(s).registers, 255);
    EXPECT_GT(time(s).time_ns, 2 * before);
}

/// As measured alone: what 18 operations and three accesses of 9 words explain, and a long division besides.
TEST_F(OneCall, WhatWasMeasuredOfTheCallCounts) {
    StreamSchedule s = schedule(Residence::shared, TileTransfer::staged);
    s.functions = {s.calls[1].node};
    const Prediction before = time(s);
    Implementation f;
    f.name = "f_1";
    FunctionId id = *b.library.find_function("f");
    b.library.functions[id].implementations = {f};
    EXPECT_EQ(time(s).time_ns, before.time_ns) << "not measured";

    auto table = std::make_shared<MeasuredTable>();
    table->entries = {{"f_1", "", 128, {{0, 0.01, 0.2, 0.01, 24, 1}}}};
    device.measured = table;
    const Prediction after = time(s);
    EXPECT_GT(after.arithmetic_ns, 0.19 * (1 << 21));
    EXPECT_GE(after.time_ns, after.arithmetic_ns);
    EXPECT_LT(after.registers, before.registers) << "measured: 24";

    table->entries[0].times[0].compute_ns = 0.0001;
    EXPECT_EQ(time(s).arithmetic_ns, before.arithmetic_ns) << "explained";
    table->entries[0].elements = 64;
    EXPECT_EQ(time(s).time_ns, before.time_ns) << "another block";
}

TEST_F(OneCall, TimeGrowsWithTheElements) {
    const StreamSchedule s = schedule(Residence::registers, TileTransfer::author);
    const double one = time(s).time_ns;
    problem.elements *= 4;
    EXPECT_NEAR(time(s).time_ns, 4 * one, 0.2 * one);
}

}  // namespace
}  // namespace kasc
