// The published programs with the library that kasc brings: every schedule of every run of calls, implementation, tile
// and transfer passes the check of shared memory as a kernel, and no more when one of its barriers is taken away.

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/expand.hpp"
#include "lower/lower.hpp"
#include "schedule/stream/schedule.hpp"
#include "support/bare_kernel.hpp"

namespace kasc::test {
namespace {

constexpr const char* big_fusion = R"(matrix3x3 A, B, M;
matrix5x5 D, E, G, F;
vector3 c, v;
scalar s;
input A, B, c, D, E;
M = mmul33(A, B);
v = mvmul33(M, c);
s = venorm3(v);
G = mmul55(D, E);
F = smmul55(G, s);
return F;
)";

constexpr const char* sync_test = R"(matrix3x3 A, B, C, D, E, M1, M2, M3, F;
input A, B, C, D, E;
M1 = madd33(A, B);
M2 = madd33(M1, C);
M3 = madd33(M2, D);
F = madd33(M3, E);
return F;
)";

constexpr const char* reassigned = R"(matrix3x3 A, B;
vector3 v;
input A, B, v;
A = mmul33(A, A);
v = mvmul33(A, v);
B = madd33(A, B);
v = mvmul33(B, v);
return A, v;
)";

constexpr const char* carried = R"(matrix3x3 A, B;
vector3 v;
param int n = 3;
input A, B, v;
for (i = 0; i < n; i++) {
    A = mmul33(A, B);
    v = mvmul33(A, v);
}
B = madd33(A, B);
return B, v;
)";

constexpr const char* nested = R"(matrix3x3 A, B;
vector3 v;
input A, B, v;
B = madd33(A, B);
for (i = 0; i < 2; i++) {
    v = mvmul33(B, v);
    for (j = 0; j < 2; j++) { A = madd33(A, B); }
    B = mmul33(A, A);
}
v = mvmul33(A, v);
return A, v;
)";

struct Read {
    Library library;
    Program program;
    Graph graph;
    Graph expanded;
};

Read read(const char* text) {
    const auto library = read_library({std::filesystem::path(KASC_SOURCE_DIR) / "elementlib" / "stream"});
    EXPECT_TRUE(library) << render_text(library.diagnostics);
    const auto program = read_program(make_source("p.kas", text), *library);
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    const auto graph = build_graph(*program);
    EXPECT_TRUE(graph) << render_text(graph.diagnostics);
    return {*library, *program, *graph, expand_loops(*graph)};
}

/// Calls [first, last) in source order, which no path leaves and re-enters.
Fusion run_of_calls(const Graph& graph, std::uint32_t first, std::uint32_t last) {
    Fusion fusion;
    const auto inside = [&](NodeId node) { return first <= node.index && node.index < last; };
    for (std::uint32_t k = first; k < last; ++k) fusion.calls.push_back(NodeId{k});
    for (const ValueId value : graph.values.ids()) {
        const std::vector<NodeId> readers = consumers(graph, value);
        const bool read_inside = std::any_of(readers.begin(), readers.end(), inside);
        const bool read_outside = !std::all_of(readers.begin(), readers.end(), inside);
        const bool output = std::find(graph.outputs.begin(), graph.outputs.end(), value) != graph.outputs.end();
        const auto& producer = graph.values[value].producer;
        if (!producer || !inside(*producer)) {
            if (read_inside) fusion.inputs.push_back(value);
        } else {
            (output || read_outside ? fusion.outputs : fusion.inner).push_back(value);
        }
    }
    return fusion;
}

/// Every combination of implementations.
std::vector<std::vector<int>> implementations(const Read& with, const Fusion& fusion) {
    std::vector<std::vector<int>> all{{}};
    for (const NodeId call : functions_of(with.expanded, fusion.calls)) {
        const FunctionId callee = std::get<StreamCall>(with.expanded.nodes[call].what).callee;
        const int count = static_cast<int>(with.library.functions[callee].implementations.size());
        std::vector<std::vector<int>> longer;
        for (const std::vector<int>& some : all)
            for (int k = 0; k < count; ++k) {
                longer.push_back(some);
                longer.back().push_back(k);
            }
        all = std::move(longer);
    }
    return all;
}

struct Tally {
    int schedules = 0, kept = 0, elided = 0, in_registers = 0, refused = 0;
};

void check_one(const Read& with, const StreamSchedule& made, Tally& tally) {
    const kernel::Lowered lowered = lower_stream(made, with.program, with.expanded, with.library, "k");
    const std::vector<std::string> findings = kernel::check_shared(lowered.alternatives.front());
    ASSERT_TRUE(findings.empty()) << findings.front() << "\n" << print(made, with.program, with.expanded, with.library);
    ++tally.schedules;
    for (const block::Region& region : made.block.regions)
        tally.in_registers += region.where == Residence::registers ? 1 : 0;
    for (std::size_t b = 0; b < made.block.barriers.size(); ++b) {
        ++(made.block.barriers[b].needed ? tally.kept : tally.elided);
        if (!made.block.barriers[b].needed) continue;
        StreamSchedule broken = made;
        broken.block.barriers[b].needed = false;
        ASSERT_FALSE(check(broken, 1).empty()) << print(made, with.program, with.expanded, with.library);
    }
}

Tally check_all(const char* text, int elements, std::size_t stride) {
    const Read with = read(text);
    Enumerations enumerations(with.library);
    Tally tally;
    const auto count = static_cast<std::uint32_t>(with.graph.nodes.size());
    std::size_t number = 0;
    for (std::uint32_t first = 0; first < count; ++first)
        for (std::uint32_t last = first + 1; last <= count; ++last) {
            const Fusion fusion = run_of_calls(with.graph, first, last);
            for (const std::vector<int>& chosen : implementations(with, fusion)) {
                if (number++ % stride != 0) continue;
                for (const TileTransfer transfer : {TileTransfer::author, TileTransfer::staged}) {
                    const StreamChoice choice{chosen, elements, 1 + static_cast<int>(number % 2), transfer};
                    const auto made =
                        schedule_stream(with.program, with.expanded, enumerations, fusion, choice, 1024, 49152);
                    EXPECT_NE(made.value.has_value(), !made.reason.empty());
                    if (made.value)
                        check_one(with, *made.value, tally);
                    else
                        ++tally.refused;
                    if (testing::Test::HasFatalFailure()) return tally;
                }
            }
        }
    return tally;
}

TEST(StreamPrograms, BigFusion) {
    const Tally tally = check_all(big_fusion, 16, 3);
    EXPECT_GT(tally.schedules, 20);
    EXPECT_GT(tally.kept, 20);
    EXPECT_GT(tally.elided, 20);
}

TEST(StreamPrograms, SyncTest) {
    const Tally tally = check_all(sync_test, 16, 1);
    EXPECT_GT(tally.schedules, 20);
    EXPECT_GT(tally.in_registers, 100);
}

TEST(StreamPrograms, NamesThatAreAssignedAgain) {
    const Tally tally = check_all(reassigned, 32, 2);
    EXPECT_GT(tally.schedules, 20);
    EXPECT_GT(tally.kept, 20);
}

TEST(StreamPrograms, LoopsThatCarryValues) {
    const Tally tally = check_all(carried, 32, 1);
    EXPECT_GT(tally.schedules, 20);
    EXPECT_GT(tally.kept, 20);
    EXPECT_GT(tally.elided, 20);
    EXPECT_GT(tally.in_registers, 20);
}

TEST(StreamPrograms, LoopsInLoops) {
    const Tally tally = check_all(nested, 32, 7);
    EXPECT_GT(tally.schedules, 20);
    EXPECT_GT(tally.kept, 20);
    EXPECT_GT(tally.elided, 20);
}

TEST(StreamPrograms, SyncTestOfOneImplementationIsAllRegisters) {
    const Read with = read(sync_test);
    Enumerations enumerations(with.library);
    const Fusion fusion = run_of_calls(with.graph, 0, 4);
    for (const TileTransfer transfer : {TileTransfer::author, TileTransfer::staged}) {
        const auto made = schedule_stream(with.program, with.expanded, enumerations, fusion,
                                          {{0, 0, 0, 0}, 32, 1, transfer, 0}, 1024, 49152);
        ASSERT_TRUE(made.value) << made.reason;
        EXPECT_EQ(shared_words(made.value->block), 0);
        EXPECT_EQ(made.value->shape, (BlockShape{9, 32, 1}));
    }
}

TEST(StreamPrograms, RefusesWithTheReasonOfTheCall) {
    const Read with = read(sync_test);
    Enumerations enumerations(with.library);
    const Fusion fusion = run_of_calls(with.graph, 0, 1);
    const auto reason = [&](const StreamChoice& choice, int threads = 1024) {
        return schedule_stream(with.program, with.expanded, enumerations, fusion, choice, threads, 49152).reason;
    };
    EXPECT_EQ(reason({{0}, 32, 1, TileTransfer::author}), "");
    EXPECT_EQ(reason({{0}, 32, 1, TileTransfer::author}, 100),
              "madd33_1 needs 288 threads for 32 elements, the device has 100 a block");
    EXPECT_EQ(reason({{99}, 32, 1, TileTransfer::author}), "madd33 has no implementation 100");
    EXPECT_EQ(reason({{-1}, 32, 1, TileTransfer::author}), "madd33 has no implementation 0");
    EXPECT_EQ(reason({{}, 32, 1, TileTransfer::author}), "the choice names another number of calls");
    EXPECT_EQ(reason({{0}, 0, 1, TileTransfer::author}), "a block serves at least one element");
    EXPECT_EQ(reason({{0}, 32, 0, TileTransfer::author}), "a block serves at least one element");
}

}  // namespace
}  // namespace kasc::test
