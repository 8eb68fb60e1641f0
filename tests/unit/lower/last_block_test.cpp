// Kernels whose last block to finish joins the parts of all, and computes the numbers behind: against the reference,
// and what others than the counting thread, or no count at all, would let it read.
#include <gtest/gtest.h>

#include <limits>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "lower/lower.hpp"
#include "schedule/field/last_block.hpp"
#include "search/set_rules.hpp"
#include "support/choice.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

/// The calls of the first set are all blocks' kernel, each of the others a kernel of one block behind it.
class LastBlockCase {
public:
    LastBlockCase(const std::string& text, const Members& first, const std::vector<Members>& behind, int vector = 1)
        : case_(text) {
        Members all = first;
        const FieldSchedule carrier = schedule(first, KernelLaunch::own, vector);
        std::vector<kernel::Rider> completed;
        for (const Members& calls : behind) {
            completed.push_back({schedule(calls, KernelLaunch::last, 1), {}, {}, std::nullopt});
            all.insert(all.end(), calls.begin(), calls.end());
        }
        fusion_ = FusionMaker(case_.graph).of(all);
        lowered_ = lower_field(field_alternatives(carrier, case_.program, case_.graph), case_.program, case_.graph,
                               "k0", {}, {}, completed);
    }
    [[nodiscard]] const std::vector<kernel::Kernel>& kernels() const { return lowered_.alternatives; }
    /// "": the kernel computes what the reference does of so many cells.
    [[nodiscard]] std::string compared(const kernel::Kernel& kernel, const std::vector<long long>& lengths) const {
        std::vector<long long> extents = lengths;
        for (const Axis& axis : case_.program.axes) {
            if (!axis.parts) continue;
            long long cells = 1;
            for (const AxisId of : axis.parts->of) cells *= extents.at(of.index);
            extents.push_back(part_count(cells, *axis.parts));
        }
        const Problem problem = make_problem(case_, extents, {});
        const FieldReference reference(case_.program, case_.graph, problem);
        return run_and_compare(case_, fusion_, kernel, reference, problem, [&](ValueId v) {
            return Cells(reference.words(v), std::numeric_limits<double>::quiet_NaN());
        });
    }

private:
    FieldCase case_;
    Fusion fusion_;
    kernel::Lowered lowered_;

    [[nodiscard]] FieldSchedule schedule(const Members& calls, KernelLaunch launch, int vector) const {
        const FieldScheduler scheduler(case_.program, case_.graph, FusionMaker(case_.graph).of(calls));
        FieldChoice choice = scheduler.choice_of_fold(false).value_or(cell_by_cell(0));
        if (vector > 1) choice = *scheduler.groups_of_fold();
        choice.launch = launch;
        const auto made = scheduler.with(choice);
        if (!made.value) throw std::runtime_error(made.reason);
        return *made.value;
    }
};

constexpr const char* norm = "float u[x], r[], half[]; input u; r = sum(u*u); half = 0.5*sqrt(r); return r, half;";
constexpr const char* pair =
    "float u[x], v[x], a[], b[], c[]; input u; v = 2*u; a = sum(v*v); b = maximum(u); c = a/b; return v, a, b, c;";
constexpr const char* stencil =
    "float u[x, y] boundary mirror, v[x, y], s[]; input u; v = u[x + 1] - u[y - 1]; s = sum(v*u); return v, s;";

kernel::Body* find_count(kernel::Body& body, std::size_t& at) {
    for (std::size_t k = 0; k < body.size(); ++k) {
        if (std::holds_alternative<kernel::CountBlock>(body[k].node)) {
            at = k;
            return &body;
        }
        kernel::Body* found = nullptr;
        if (auto* threads = std::get_if<kernel::Threads>(&body[k].node)) found = find_count(threads->body, at);
        if (auto* either = std::get_if<kernel::If>(&body[k].node)) found = find_count(either->then, at);
        if (found != nullptr) return found;
    }
    return nullptr;
}

TEST(LastBlock, JoinsThePartsOfAllInTheOrderOfTheLanguage) {
    const LastBlockCase made(norm, {0}, {{1}, {2}});
    for (const long long cells : {1LL, 4096LL, 4097LL, 50000LL})
        EXPECT_EQ(made.compared(made.kernels().front(), {cells}), "") << cells;
}

TEST(LastBlock, JoinsSeveralSumsAndWhatIsStoredBesideThem) {
    const LastBlockCase made(pair, {0, 1, 3}, {{2, 4}, {5}});
    EXPECT_EQ(made.compared(made.kernels().front(), {20000}), "");
}

TEST(LastBlock, FollowsGroupsOfCellsToo) {
    const LastBlockCase made(stencil, {0, 1}, {{2}}, 4);
    ASSERT_EQ(made.kernels().size(), 2u);
    EXPECT_EQ(made.compared(made.kernels()[0], {64, 200}), "");
    EXPECT_EQ(made.compared(made.kernels()[1], {61, 200}), "");
}

TEST(LastBlock, WaitsOnceForTheWordThatTellsAll) {
    EXPECT_EQ(barriers_met(counting_block()), 1);
    const LastBlockCase made(norm, {0}, {{1}, {2}});
    const kernel::Kernel& kernel = made.kernels().front();
    EXPECT_EQ(kernel::verify(kernel), "");
    EXPECT_TRUE(kernel.counts_blocks());
    EXPECT_EQ(kernel::check_shared(kernel), std::vector<std::string>{});
    const std::vector<kernel::Kernel> broken = without_each_barrier(kernel);
    // Those of the parts, of the count, and of the join.
    EXPECT_EQ(broken.size(), 7u);
    for (const kernel::Kernel& k : broken) EXPECT_FALSE(kernel::check_shared(k, 1).empty());
}

TEST(LastBlock, ReadsNothingThatWasNotCounted) {
    const LastBlockCase made(norm, {0}, {{1}});
    kernel::Kernel each = made.kernels().front();
    std::size_t at = 0;
    kernel::Body* body = find_count(each.body, at);
    ASSERT_NE(body, nullptr);
    const auto count = std::get<kernel::CountBlock>((*body)[at].node);
    (*body)[at] = {kernel::Assign{kernel::element(count.into, count.index), kernel::integer(1)}};
    EXPECT_NE(made.compared(each, {50000}).find("which this thread has not stored"), std::string::npos);

    // The count of another thread says nothing of what the first has stored, unless a barrier stands between.
    kernel::Kernel other = made.kernels().front();
    for (kernel::Statement& s : other.body) {
        auto* threads = std::get_if<kernel::Threads>(&s.node);
        if (threads == nullptr || find_count(threads->body, at) == nullptr) continue;
        std::get<kernel::If>(threads->body.front().node).condition =
            kernel::binary("==", kernel::linear_thread(), kernel::integer(5));
    }
    EXPECT_NE(made.compared(other, {50000}).find("which this thread has not stored"), std::string::npos);
}

TEST(LastBlock, OfAKernelOfOneBlockIsThatBlock) {
    const LastBlockCase made(norm, {1}, {{2}});
    const kernel::Kernel& kernel = made.kernels().front();
    EXPECT_FALSE(kernel.counts_blocks()) << kernel::print(kernel);
    EXPECT_EQ(kernel::check_shared(kernel), std::vector<std::string>{});
    EXPECT_EQ(made.compared(kernel, {50000}), "");
}

TEST(LastBlock, IsNoOtherKernels) {
    const FieldCase c(
        "float u[x, y], rows[y], s[], t[]; input u; rows = sum(u, x); s = sum(u); t = 2*s; return rows, s;");
    const auto scheduled = [&](const Members& calls) {
        const FieldScheduler scheduler(c.program, c.graph, FusionMaker(c.graph).of(calls));
        return *scheduler.with(*scheduler.choice_of_fold(false)).value;
    };
    std::size_t going_on = 0, completed = 0;
    for (std::uint32_t node = 0; node < c.graph.nodes.size(); ++node) {
        const auto& update = std::get<FieldUpdate>(c.graph.nodes[NodeId{node}].what);
        if (!update.statement.fold) continue;
        const FieldSchedule schedule = scheduled({node});
        const bool of_all = update.statement.fold->axes.size() == 2, joins = !update.statement.fold->parts;
        going_on += going_on_fault(schedule).empty();
        completed += last_block_fault(*schedule.work).empty();
        EXPECT_EQ(going_on_fault(schedule).empty(), last_block_fault(*schedule.work).empty() || (of_all && !joins))
            << node;
    }
    EXPECT_EQ(going_on, 2u);
    EXPECT_EQ(completed, 1u) << "the join of s";
}

}  // namespace
}  // namespace kasc::test
