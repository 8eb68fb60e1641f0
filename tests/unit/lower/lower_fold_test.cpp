// What kernels that fold their cells look like; that they compute what they should is tested with random programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "lower/lower.hpp"
#include "schedule/field/walk/fold.hpp"
#include "search/set_rules.hpp"
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
    return lower_field(field_alternatives(*made.value, c.program, c.graph), c.program, c.graph, "k0")
        .alternatives.front();
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

enum class Taken { one_by_one, in_groups, of_a_cpu };

/// Two folds of one reading beside what computes their cells.
kernel::Kernel fused_kernel(Taken cells) {
    const FieldCase c(
        "float u[x,y] boundary mirror, v[x,y], r[], m[]; input u; v = u[x + 1] - u; r = sum(v*u); m = maximum(v); "
        "return v, r, m;");
    Members calls;
    for (const NodeId node : c.graph.nodes.ids()) {
        const FieldStatement& s = field_update(c.graph, node).statement;
        if (!s.fold || s.fold->parts) calls.push_back(node.index);
    }
    const Fusion fusion = FusionMaker(c.graph).of(calls);
    const FieldScheduler scheduler(c.program, c.graph, fusion);
    const FieldScheduleResult made = scheduler.with(
        cells == Taken::in_groups ? *scheduler.groups_of_fold() : *scheduler.choice_of_fold(cells == Taken::of_a_cpu));
    if (!made.value) throw std::runtime_error(made.reason);
    return lower_field(field_alternatives(*made.value, c.program, c.graph), c.program, c.graph, "k0")
        .alternatives.front();
}

TEST(LowerFold, SeveralShareOneReadingWithWhatComputesTheirCells) {
    for (const Taken cells : {Taken::one_by_one, Taken::in_groups, Taken::of_a_cpu}) {
        const kernel::Kernel kernel = fused_kernel(cells);
        const std::string text = kernel::print(kernel);
        EXPECT_EQ(kernel::verify(kernel), "");
        EXPECT_TRUE(kernel::check_shared(kernel).empty()) << kernel::check_shared(kernel).front();
        EXPECT_NE(text.find("param f32 v[] out"), std::string::npos) << text;
        EXPECT_EQ(text.find("param f32 v[] in"), std::string::npos) << text;
        EXPECT_NE(text.find("shared f64 r_parts_lanes"), std::string::npos) << text;
        EXPECT_NE(text.find("m_parts_lanes"), std::string::npos) << text;
        for (const kernel::Kernel& k : without_each_barrier(kernel))
            EXPECT_FALSE(kernel::check_shared(k, 1).empty()) << "a barrier is not noticed";
    }
}

TEST(LowerFold, GroupsReadRowsAndStoreThem) {
    const kernel::Kernel kernel = fused_kernel(Taken::in_groups);
    const std::string text = kernel::print(kernel);
    EXPECT_NE(text.find("u_0[0 :+ 4] = u["), std::string::npos) << text;
    EXPECT_NE(text.find(" :+ 4] = v_0[0 :+ 4]"), std::string::npos) << text;
    EXPECT_NE(text.find("shared f64 r_parts_groups"), std::string::npos) << text;
    ASSERT_TRUE(kernel.requirement.has_value());
    EXPECT_EQ(kernel.requirement->multiple, 4);
}

TEST(LowerFold, CellsThatReadNoNeighboursHaveNoGroups) {
    const FieldCase c("float u[x,y], r[]; input u; r = sum(u*u); return r;");
    const FieldScheduler scheduler(c.program, c.graph, c.fusion(0, 1));
    EXPECT_EQ(scheduler.with(*scheduler.groups_of_fold()).reason,
              "no cell that is folded reads neighbours, or words of few bits: its number says where it lies");
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
            EXPECT_EQ(thread_count(kernel.block), cpu && statement[0] != 'l' ? 4 * fold_threads : fold_threads);
            const std::vector<kernel::Kernel> broken = without_each_barrier(kernel);
            const bool in_a_warp = !cpu && statement[0] == 'm';  // a warp has all
            EXPECT_EQ(broken.empty(), in_a_warp) << statement;
            EXPECT_GE(broken.size(), in_a_warp ? 0U : 3U) << statement;
            for (const kernel::Kernel& k : broken) EXPECT_FALSE(kernel::check_shared(k, 1).empty()) << statement;
        }
    }
}

TEST(LowerFold, LanesOfAWarpExchangeTheirSums) {
    struct Tree {
        const char* statement;
        bool cpu;
        std::ptrdiff_t barriers;  ///< 128, 64 and 32 threads apart; all of 8 lanes along y
        bool exchanges;           ///< 16, 8, 4, 2 and 1 lanes apart
        bool shares;
    };
    for (const Tree& t : {Tree{"r = sum(u); l = v; m = 0;", false, 3, true, true},
                          {"m = sum(u, x); r = 0; l = v;", false, 0, true, false},
                          {"l = sum(u, y, z); r = 0; m = 0;", false, 3, false, true},
                          {"m = sum(u, x); r = 0; l = v;", true, 7, false, true}}) {
        const kernel::Kernel k = fold_kernel(t.statement, t.cpu);
        std::vector<int> apart;
        for (const kernel::Statement& s : k.body)
            if (const auto* e = std::get_if<kernel::Exchange>(&s.node)) apart.push_back(e->distance);
        EXPECT_EQ(apart, t.exchanges ? (std::vector<int>{16, 8, 4, 2, 1}) : std::vector<int>{}) << t.statement;
        const auto barrier = [](const kernel::Statement& s) { return std::holds_alternative<kernel::Barrier>(s.node); };
        EXPECT_EQ(std::count_if(k.body.begin(), k.body.end(), barrier), t.barriers) << kernel::print(k);
        const bool shares = std::any_of(k.body.begin(), k.body.end(), [](const kernel::Statement& s) {
            return std::holds_alternative<kernel::SharedArray>(s.node);
        });
        EXPECT_EQ(shares, t.shares) << t.statement;
    }
}

}  // namespace
}  // namespace kasc::test
