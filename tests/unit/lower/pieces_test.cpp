// Sums of pieces of a list: what a warp has in shared memory, the kernel, its barrier, and what the model makes of it.
#include <gtest/gtest.h>

#include "kernel/check_shared.hpp"
#include "lower/lower.hpp"
#include "model/prediction.hpp"
#include "schedule/field/walk/pieces.hpp"
#include "search/additions.hpp"
#include "support/choice.hpp"
#include "support/pieces_case.hpp"
#include "support/without_barrier.hpp"

namespace kasc::test {
namespace {

/// The kernel of the first calls, as far as pieces go.
struct PieceKernel {
    FieldCase c;
    FieldScheduler scheduler;

    explicit PieceKernel(const std::string& text, std::size_t calls = 1)
        : c(in_pieces(FieldCase(text))), scheduler(c.program, c.graph, c.fusion(0, calls)) {}

    [[nodiscard]] std::string refused(const std::string& plan) const { return scheduler.with(choice(plan)).reason; }
    [[nodiscard]] FieldSchedule scheduled(const FieldChoice& with) const {
        const FieldScheduleResult made = scheduler.with(with);
        if (!made.value) throw std::runtime_error(made.reason);
        return *made.value;
    }
    [[nodiscard]] kernel::Kernel lowered(const FieldChoice& with) const {
        return lower_field(field_alternatives(scheduled(with), c.program, c.graph), c.program, c.graph, "k0")
            .alternatives.front();
    }
};

std::string sums(int cells, const std::string& type = "float") {
    return "axis k = " + std::to_string(cells) + "; " + type +
           " h[k]; float w[i]; int at[i]; input w, at, h; h[k = at] += w; return h;";
}

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

TEST(Pieces, BlocksHaveAsManyWarpsAsHaveRoomForTheirWords) {
    const auto most_threads = [](const std::string& program) {
        return PieceKernel(program).scheduler.choices_of_pieces(false).front().threads_x;
    };
    EXPECT_EQ(most_threads(sums(16)), 256);
    EXPECT_EQ(most_threads(sums(64)), 256) << "8 KB a warp";
    EXPECT_EQ(most_threads(sums(65)), 128);
    EXPECT_EQ(most_threads(sums(256)), 64);
    EXPECT_EQ(most_threads(sums(128, "double")), 64);
    EXPECT_EQ(PieceKernel(sums(256)).scheduler.choices_of_pieces(true),
              (std::vector<FieldChoice>{{Walk::row, 1, 1, 1, 1}}));
}

TEST(Pieces, AWarpHasAPiece) {
    const PieceKernel k(sums(16));
    EXPECT_EQ(k.refused("histogram 64x1 chunk 128 unroll 4"), "");
    EXPECT_NE(k.refused("histogram 64x1 chunk 64 unroll 4").find("a warp for each"), std::string::npos);
    EXPECT_NE(k.refused("histogram 48x1 chunk 128").find("a warp for each"), std::string::npos);
    EXPECT_NE(k.refused("grid 64x1").find("a warp for each"), std::string::npos);
    EXPECT_NE(k.refused("row 64").find("by itself"), std::string::npos);
    EXPECT_NE(k.refused("histogram 64x1 vector 4 chunk 128").find("one by one"), std::string::npos);
    EXPECT_NE(k.refused("histogram 64x1 chunk 128 unroll 17").find("unrolled 1 to 16"), std::string::npos);
    EXPECT_NE(PieceKernel(sums(256)).refused("histogram 128x1 chunk 128").find("shared memory"), std::string::npos);
}

TEST(Pieces, EachThreadAddsToWordsOfItsOwnAndNothingIsAtomic) {
    const PieceKernel k(sums(16));
    const std::string text = print(k.lowered(choice("histogram 64x1 chunk 128 unroll 8")));
    EXPECT_EQ(times(text, "shared h_pieces_lanes[1024]"), 1U) << text;
    EXPECT_EQ(times(text, "barrier"), 1U) << text;
    EXPECT_EQ(times(text, " += "), 1U) << "in the comment\n" << text;
    EXPECT_EQ(times(text, "= sum\n"), 1U) << text;
    EXPECT_EQ(times(text, "i_pieces_listed"), 0U) << "the walk knows its piece";
}

TEST(Pieces, IntegersOfTheSameEntriesHaveWordsBesideThem) {
    const PieceKernel k(
        "axis k = 16; float h[k], w[i]; int n[k], at[i]; input w, at, h, n; n[k = at] += 1; h[k = at] += w; return h, "
        "n;",
        2);
    const std::string text = print(k.lowered(choice("histogram 32x1 chunk 128 unroll 8")));
    EXPECT_EQ(times(text, "shared i32 n_lanes[512]"), 1U) << text;
    EXPECT_EQ(times(text, " += "), 3U) << "in two comments, and to memory, behind the barrier\n" << text;
    EXPECT_EQ(times(text, "barrier"), 1U) << text;
}

TEST(Pieces, TheBarrierIsMissed) {
    for (const char* plan : {"histogram 32x1 chunk 128 unroll 1", "histogram 64x1 chunk 128 unroll 8"}) {
        const kernel::Kernel k = PieceKernel(sums(5)).lowered(choice(plan));
        EXPECT_EQ(check_shared(k, 1), std::vector<std::string>{}) << plan;
        const std::vector<kernel::Kernel> broken = without_each_barrier(k);
        ASSERT_EQ(broken.size(), 1U);
        EXPECT_FALSE(check_shared(broken.front(), 1).empty()) << plan;
    }
}

/// Additions share a kernel where entries are the same, and threads have words of all their cells.
TEST(Pieces, AdditionsOfTheSameEntriesShareAKernel) {
    const auto verdict = [](const std::string& declared, const std::string& second) {
        const FieldCase c = in_pieces(FieldCase("axis k = 16; " + declared +
                                                " float h[k], w[i]; int at[i]; input w, at, h, u; h[k = at] += w; " +
                                                second + " return h, u;"));
        std::vector<std::uint32_t> adds;
        for (const NodeId node : c.graph.nodes.ids())
            if (std::get<FieldUpdate>(c.graph.nodes[node].what).statement.adding) adds.push_back(node.index);
        return no_addition_apart(c.program, c.graph, {adds.at(0)}, {adds.at(1)}).reason();
    };
    EXPECT_EQ(verdict("float u[k];", "u[k = at] += w*w;"), "each entry is added by the thread that computes its cell");
    EXPECT_EQ(verdict("int u[k];", "u[k = at] += 1;"), "each entry is added by the thread that computes its cell");
    EXPECT_NE(verdict("int u[l];", "u[l = at] += 1;").find("no lane has words"), std::string::npos);
    EXPECT_NE(verdict("axis i = 90; axis j = 90; float u[k], v[j];", "v = j; u[k = int(v)] += v;").find("mixed"),
              std::string::npos);
}

/// 2^26 entries of a float and a label are 0.188 ms of an H100's memory. Each reads and writes a word of its lane; a
/// word of each cell is set to zero and read once more for each piece.
TEST(Pieces, TheyTakeWhatIsRead) {
    const PieceKernel k(sums(64));
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    Problem problem;
    for (const Axis& axis : k.c.program.axes)
        problem.extents.push_back(axis.name == "i" ? 1 << 26 : axis.name == "i_pieces" ? 1 << 14 : 64);
    const FieldSchedule schedule = k.scheduled(k.scheduler.choices_of_pieces(false).front());
    const Prediction p = predict(schedule, k.c.program, k.c.graph, {}, device, problem);
    EXPECT_EQ(p.barriers, 1);
    EXPECT_EQ(p.blocks, (1 << 14) / 8);
    EXPECT_EQ(p.shared_bytes_per_block, 8 * 64 * 32 * 4);
    EXPECT_NEAR(p.global_bytes, (1LL << 26) * 8.0 + (1 << 14) * 64 * 4.0, 1);
    EXPECT_LT(p.time_ns, 0.26e6);
    EXPECT_GT(p.time_ns, 0.188e6);
}

}  // namespace
}  // namespace kasc::test
