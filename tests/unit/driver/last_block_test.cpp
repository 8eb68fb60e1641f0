// Kernels of one block that the kernel before them goes on with, and those that keep a launch.
#include <gtest/gtest.h>

#include <sstream>

#include "driver/fold_report.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

constexpr const char* norm_of_all = "float u[x], s[], a[]; input u; s = sqrt(sum(u*u)); a = 1/s; return a;";
/// Numbers behind the second sum go on in the arrays that they had.
constexpr const char* steps_of_gradients =
    "float p[i, j] boundary value(0), r[i, j], q[i, j], pq[], rr[], alpha[], next[]; param int steps = 10; "
    "input r, p, rr; for (n = 0; n < steps; n++) { q = 4*p - p[i - 1] - p[i + 1] - p[j - 1] - p[j + 1]; "
    "pq = sum(p*q); alpha = rr/pq; r = r - alpha*q; rr = sum(r*r); } return r, rr;";

Compilation planned_with(const std::string& text, const std::map<std::string, double>& sizes,
                         const std::string& plan = "", bool last_blocks = true) {
    CompileRequest request = test::request_of(text, sizes);
    request.plan.bounds.last_blocks = last_blocks;
    if (!plan.empty()) request.written_plan = make_source("--plan", plan);
    return test::planned(request);
}
std::string completions_of(const Compilation& c) {
    std::string text;
    for (const Completion& k : c.plans.front().host->completions)
        text += (text.empty() ? "" : "; ") + k.kernel + (k.verdict ? ": " : " launched: ") + k.verdict.reason();
    return text;
}
std::size_t launches_in(const std::vector<HostStep>& steps) {
    std::size_t count = 0;
    for (const HostStep& s : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&s.what)) count += launches_in(loop->body);
        count += std::holds_alternative<LaunchStep>(s.what);
    }
    return count;
}
std::size_t launches_in(const Compilation& c) { return launches_in(c.plans.front().host->steps); }

TEST(LastBlockOfAPlan, GoesOnWithJoinsAndNumbers) {
    const Compilation c = planned_with(norm_of_all, {{"x", 65536}});
    EXPECT_EQ(completions_of(c), "p_k1: by the last block of p_k0; p_k2: by the last block of p_k0");
    EXPECT_EQ(launches_in(c), 1u);
    EXPECT_EQ(c.plans.front().host->kernels.size(), 1u);
    const auto folds = fold_places(c, c.plans.front(), kernel_names(c, c.plans.front()));
    ASSERT_EQ(folds.size(), 2u);
    EXPECT_EQ(folds[1].reason, "joined by the last block of p_k0");
    EXPECT_NE(print(*c.plans.front().host, c.program).find("its last block goes on with p_k2"), std::string::npos);
}

TEST(LastBlockOfAPlan, IsLeftOutWhereItIsNotWanted) {
    const Compilation none = planned_with(norm_of_all, {{"x", 65536}}, "", false);
    EXPECT_EQ(completions_of(none), "");
    EXPECT_EQ(launches_in(none), 3u);
    const Compilation own = planned_with(norm_of_all, {{"x", 65536}}, "s_sum: launch own");
    EXPECT_EQ(launches_in(own), 2u) << completions_of(own);
    EXPECT_EQ(completions_of(own), "p_k2: by the block of p_k1 itself");
    const Compilation both = planned_with(norm_of_all, {{"x", 65536}}, "launch own");
    EXPECT_EQ(launches_in(both), 3u) << completions_of(both);
}

TEST(LastBlockOfAPlan, ManyPartsAreJoinedByAKernel) {
    EXPECT_EQ(launches_in(planned_with(norm_of_all, {{"x", 1 << 28}})), 2u) << "16384 parts";
    EXPECT_EQ(launches_in(planned_with(norm_of_all, {{"x", 1 << 28}}, "s_sum: launch last")), 1u)
        << "where it is asked for";
}

TEST(LastBlockOfAPlan, StoresIntoNoArrayThatTheKernelTouches) {
    const Compilation c = planned_with(steps_of_gradients, {{"i", 300}, {"j", 300}}, "launch last");
    for (const kernel::Lowered& lowered : c.plans.front().host->kernels)
        for (const kernel::Kernel& k : lowered.alternatives) EXPECT_EQ(kernel::verify(k), "");
    const auto check = [&](const auto& self, const std::vector<HostStep>& steps) -> void {
        for (const HostStep& s : steps) {
            if (const auto* loop = std::get_if<LoopStep>(&s.what)) self(self, loop->body);
            const auto* launch = std::get_if<LaunchStep>(&s.what);
            if (launch == nullptr || launch->completed.empty()) continue;
            std::set<SlotId> slots;
            for (const kernel::Parameter& p :
                 c.plans.front().host->kernels[launch->kernel].alternatives.front().parameters) {
                if (!p.is_array()) continue;
                const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
                const ValueId value = in != nullptr ? in->value : std::get<kernel::ArrayOut>(p.source).value;
                EXPECT_TRUE(slots.insert(launch->arrays.at(value)).second) << p.name;
            }
        }
    };
    check(check, c.plans.front().host->steps);
    EXPECT_NE(completions_of(c).find("by the last block of"), std::string::npos) << completions_of(c);
}

}  // namespace
}  // namespace kasc
